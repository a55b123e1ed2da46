import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { closeUpload, need, octets, startUpload } from '../../push.ts'
import type { Registry } from '../../registry.ts'

/** What came of an upload after it was closed with 201. */
export interface ClosedUpload {
  readonly repository: string
  /** The blob that it was closed with. */
  readonly blob: Content
  /** What was sent to it later. */
  readonly more: Content
  readonly status: Answer
  readonly chunk: Answer
  readonly close: Answer
}

/** Closes an upload, and then asks for its status, sends a chunk and closes it again. */
export const closedUpload = (registry: Registry): Promise<ClosedUpload> =>
  registry.once('closed-upload', async ({ client, repository, content }) => {
    const [blob, more] = [content.bytes(1500), content.bytes(700)]
    const location = await startUpload(client, repository)
    need('closing the upload', await closeUpload(client, location, blob.digest, blob), 201)
    return {
      repository,
      blob,
      more,
      status: await client.get(location),
      chunk: await client.patch(location, { headers: octets, body: more }),
      close: await closeUpload(client, location, more.digest, more),
    }
  })
