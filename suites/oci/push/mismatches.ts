import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { closeUpload, pushBlob } from '../../push.ts'
import type { Registry } from '../../registry.ts'
import { chunkThenPut, type PushForm, singlePost, streamThenPut } from './forms.ts'
import { triedUploads } from './tried-upload.ts'

/** Content that was pushed under the digest of other content, which is nowhere. */
export interface Mismatch {
  readonly repository: string
  readonly sent: Content
  /** The digest that was named. */
  readonly named: string
  readonly answer: Answer
}

/** The same where the repository holds a blob, whose digest was named too. */
export interface MismatchBeside extends Mismatch {
  readonly known: Content
  /** The answer to other content under the digest of the blob that is there. */
  readonly occupied: Answer
}

const mebibyte = 1 << 20

/** By POST and PUT; `large`: the answer to more than 1 MiB. */
export const mismatchByPut = (registry: Registry): Promise<MismatchBeside & { readonly large: Answer }> =>
  registry.once('mismatch-by-put', async ({ client, repository, content }) => {
    const known = await pushBlob(client, repository, content.bytes(2000))
    const [sent, other, large] = [content.bytes(2000), content.bytes(2000), content.bytes(mebibyte + 1)]
    const attempt = triedUploads(client, repository)
    const push = (pushed: Content, digest: string) =>
      attempt((location) => closeUpload(client, location, digest, pushed))
    return {
      repository,
      known,
      sent,
      named: other.digest,
      answer: await push(sent, other.digest),
      occupied: await push(sent, known.digest),
      large: await push(large, content.bytes(10).digest),
    }
  })

/** By a single POST. */
export const mismatchByPost = (registry: Registry): Promise<MismatchBeside> =>
  registry.once('mismatch-by-post', async ({ client, repository, content }) => {
    const known = await pushBlob(client, repository, content.bytes(500))
    const [sent, other] = [content.bytes(2000), content.bytes(2000)]
    return {
      repository,
      known,
      sent,
      named: other.digest,
      answer: await singlePost(client, repository, sent, other.digest),
      occupied: await singlePost(client, repository, sent, known.digest),
    }
  })

const mismatchBy =
  (name: string, push: PushForm) =>
  (registry: Registry): Promise<Mismatch> =>
    registry.once(name, async ({ client, repository, content }) => {
      const [sent, other] = [content.bytes(2000), content.bytes(2000)]
      const answer = await push(client, repository, sent, other.digest)
      return { repository, sent, named: other.digest, answer }
    })

/** What was pushed under the digest of other content, whatever the way to push. */
export const mismatches: readonly (readonly [
  form: string,
  push: (registry: Registry) => Promise<Mismatch>,
])[] = [
  ['POST and PUT', mismatchByPut],
  ['a single POST', mismatchByPost],
  ['PATCH and PUT', mismatchBy('mismatch-by-chunk', chunkThenPut)],
  ['a streamed PATCH and PUT', mismatchBy('mismatch-by-stream', streamThenPut)],
]
