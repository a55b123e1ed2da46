import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { type Outcome, outcomeOf } from '../../outcome.ts'
import { closeUpload, locationOf, need } from '../../push.ts'
import { readBlob } from '../../readback.ts'
import type { Registry } from '../../registry.ts'

/** A blob that is pushed by POST and PUT, as most clients do, step by step. */
export interface WholeUpload {
  readonly repository: string
  readonly blob: Content
  readonly started: Answer
  readonly closed: Outcome<Answer>
  /** The first read of the blob, where its upload was closed with 201. */
  readonly read: Outcome<Answer>
}

/** The upload that all look at who judge a step of it. */
export const wholeUpload = (registry: Registry): Promise<WholeUpload> =>
  registry.once('whole-upload', async ({ client, repository, content }) => {
    const blob = content.bytes(4000)
    const started = await client.post(`/v2/${repository}/blobs/uploads/`)
    const closed = await outcomeOf(async () =>
      closeUpload(client, locationOf(need('starting an upload', started, 202)), blob.digest, blob),
    )
    const read = await outcomeOf(async () => {
      need('closing the upload', closed(), 201)
      return readBlob(client, repository, blob.digest)
    })
    return { repository, blob, started, closed, read }
  })

/** That blob, where pushing it works. */
export async function pushedBlob(registry: Registry): Promise<Content> {
  const { blob, closed } = await wholeUpload(registry)
  need('pushing a blob', closed(), 201)
  return blob
}
