import type { Content, TypedContent } from '../fixtures/content.ts'
import type { Answer } from '../harness/answer.ts'
import { PrerequisiteFailure } from '../harness/errors.ts'
import { expectContent, expectStatus } from '../harness/finding.ts'
import type { RegistryClient } from '../harness/registry-client.ts'
import { memberOf } from './json-member.ts'

/** What a registry holds, as another client would see it: on a connection of its own. */

/** Reads a blob, whatever the answer is. */
export const readBlob = (client: RegistryClient, repository: string, digest: string): Promise<Answer> =>
  client.get(`/v2/${repository}/blobs/${digest}`, { fresh: true })

/** The repository serves exactly these bytes under the digest; returns the answer. */
export async function expectBlob(
  client: RegistryClient,
  repository: string,
  content: Content,
  digest: string = content.digest,
): Promise<Answer> {
  const answer = await readBlob(client, repository, digest)
  expectContent(answer, content.bytes)
  return answer
}

/** The repository has no blob of the digest, for HEAD and for GET. */
export async function expectNoBlob(
  client: RegistryClient,
  repository: string,
  digest: string,
): Promise<void> {
  const path = `/v2/${repository}/blobs/${digest}`
  expectStatus(await client.head(path, { fresh: true }), 404)
  expectStatus(await client.get(path, { fresh: true }), 404)
}

/** Reads a manifest as a client that knows its media type. */
export function readManifest(
  client: RegistryClient,
  repository: string,
  reference: string,
  mediaType: string,
): Promise<Answer> {
  const headers = { accept: mediaType }
  return client.get(`/v2/${repository}/manifests/${reference}`, { headers, fresh: true })
}

/** The repository serves exactly this manifest under the reference; returns the answer. */
export async function expectManifest(
  client: RegistryClient,
  repository: string,
  manifest: TypedContent,
  reference: string = manifest.digest,
): Promise<Answer> {
  const answer = await readManifest(client, repository, reference, manifest.mediaType)
  expectContent(answer, manifest.bytes)
  return answer
}

/** The repository has no manifest under the reference, for HEAD and for GET. */
export async function expectNoManifest(
  client: RegistryClient,
  repository: string,
  reference: string,
  mediaType: string,
): Promise<void> {
  const path = `/v2/${repository}/manifests/${reference}`
  const options = { headers: { accept: mediaType }, fresh: true }
  expectStatus(await client.head(path, options), 404)
  expectStatus(await client.get(path, options), 404)
}

/** The tags that the repository lists; none where it does not offer the list. A list that cannot be read is no step. */
export async function listedTags(client: RegistryClient, repository: string): Promise<readonly string[]> {
  const answer = await client.get(`/v2/${repository}/tags/list`, { fresh: true })
  if (answer.status !== 200) return []
  const tags = memberOf(answer, 'tags')
  if (tags === null) return []
  if (Array.isArray(tags)) return tags.map(String)
  throw new PrerequisiteFailure('the list of tags has no array of tags')
}
