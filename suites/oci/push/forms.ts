import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { closeUpload, locationOf, need, octets, sendChunk, startUpload, withDigest } from '../../push.ts'

/** Pushes content under a digest that may be wrong; gives the answer that decides, whatever it is. */
export type PushForm = (
  client: RegistryClient,
  repository: string,
  content: Content,
  digest: string,
) => Promise<Answer>

const postThenPut: PushForm = async (client, repository, content, digest) =>
  closeUpload(client, await startUpload(client, repository), digest, content)

/** The POST that brings the whole content. */
export const postWhole: PushForm = (client, repository, content, digest) =>
  client.post(withDigest(`/v2/${repository}/blobs/uploads/`, digest), { headers: octets, body: content })

/** Goes on with a PUT, as clients do, where the registry takes no single POST. */
export const singlePost: PushForm = async (client, repository, content, digest) => {
  const answer = await postWhole(client, repository, content, digest)
  return answer.status === 202 ? closeUpload(client, locationOf(answer), digest, content) : answer
}

/** One chunk, and an empty PUT. */
export const chunkThenPut: PushForm = async (client, repository, content, digest) => {
  const sent = await sendChunk(client, await startUpload(client, repository), content, 0)
  return closeUpload(client, locationOf(need('a chunk', sent, 202)), digest)
}

/** A PATCH in chunked transfer coding, and an empty PUT. */
export const streamThenPut: PushForm = async (client, repository, content, digest) => {
  const location = await startUpload(client, repository)
  const sent = await client.patch(location, { headers: octets, body: content, chunked: true })
  return closeUpload(client, locationOf(need('a streamed PATCH', sent, 202)), digest)
}

/** Every way to push a blob, by its name. */
export const pushForms: readonly (readonly [name: string, form: PushForm])[] = [
  ['POST and PUT', postThenPut],
  ['a single POST', singlePost],
  ['PATCH and PUT', chunkThenPut],
  ['a streamed PATCH and PUT', streamThenPut],
]
