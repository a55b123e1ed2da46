import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { type Outcome, outcomeOf } from '../../outcome.ts'
import { closeUpload, locationOf, need } from '../../push.ts'
import type { Registry } from '../../registry.ts'
import { postWhole } from './forms.ts'

/** A blob that is pushed by a single POST. */
export interface SinglePost {
  readonly repository: string
  readonly blob: Content
  readonly answer: Answer
  /** The answer to the PUT at the upload that a 202 opened. */
  readonly closed: Outcome<Answer>
}

/** The single POST that all look at who judge its answer. */
export const singlePostOnce = (registry: Registry): Promise<SinglePost> =>
  registry.once('single-post', async ({ client, repository, content }) => {
    const blob = content.bytes(2000)
    const answer = await postWhole(client, repository, blob, blob.digest)
    const closed = await outcomeOf(async () =>
      closeUpload(client, locationOf(need('a single POST', answer, 202)), blob.digest, blob),
    )
    return { repository, blob, answer, closed }
  })
