import { literal } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { closeUpload, startUpload } from '../../push.ts'
import type { Registry } from '../../registry.ts'
import type { ExistingBlob } from '../named-content.ts'

/** A blob of no bytes, and the answer to the PUT that completed its upload. */
export interface EmptyBlob extends ExistingBlob {
  readonly closed: Answer
}

/** The blob of no bytes is pushed once. */
export const emptyBlob = (registry: Registry): Promise<EmptyBlob> =>
  registry.once('empty-blob', async ({ client, repository }) => {
    const empty = literal('')
    const closed = await closeUpload(client, await startUpload(client, repository), empty.digest, empty)
    return { repository, digest: empty.digest, bytes: empty.bytes, closed }
  })
