import { literal } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { type Outcome, outcomeOf } from '../../outcome.ts'
import { closeUpload, startUpload } from '../../push.ts'
import { readBlob } from '../../readback.ts'
import type { Registry } from '../../registry.ts'
import type { ExistingBlob } from '../named-content.ts'

/** A blob of no bytes, the answer to the PUT that completed its upload, and the first read of it. */
export interface EmptyBlob extends ExistingBlob {
  readonly closed: Answer
  readonly read: Outcome<Answer>
}

/** The blob of no bytes is pushed once. */
export const emptyBlob = (registry: Registry): Promise<EmptyBlob> =>
  registry.once('empty-blob', async ({ client, repository }) => {
    const { digest, bytes } = literal('')
    const closed = await closeUpload(client, await startUpload(client, repository), digest)
    const read = await outcomeOf(() => readBlob(client, repository, digest))
    return { repository, digest, bytes, closed, read }
  })
