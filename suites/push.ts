import { emptyConfig } from '../fixtures/config.ts'
import { type Content, literal, type TypedContent } from '../fixtures/content.ts'
import { type Image, image } from '../fixtures/image.ts'
import { artifactManifest } from '../fixtures/manifest.ts'
import { vendorTypes } from '../fixtures/media-types.ts'
import type { Source } from '../fixtures/seed.ts'
import type { Answer } from '../harness/answer.ts'
import { PrerequisiteFailure } from '../harness/errors.ts'
import type { RegistryClient } from '../harness/registry-client.ts'

/** The steps that requirements build on. Where one fails, what builds on it was not verified. */

/** The headers of a blob or a part of one. */
export const octets = { 'content-type': 'application/octet-stream' }

/** Throws `PrerequisiteFailure` unless the answer has the status that the step needs. */
export function need(step: string, answer: Answer, ...statuses: readonly number[]): Answer {
  if (statuses.includes(answer.status)) return answer
  throw new PrerequisiteFailure(`${step} answered ${answer.status} instead of ${statuses.join(' or ')}`)
}

/** The URL of a Location header, resolved against the request that it answers. */
export function locationOf(answer: Answer): string {
  const location = answer.header('location')
  if (!location) throw new PrerequisiteFailure(`${answer.method} ${answer.url} answered without a Location`)
  if (!URL.canParse(location, answer.url)) throw new PrerequisiteFailure(`the Location ${location} is no URL`)
  return new URL(location, answer.url).href
}

/** A URL with one more parameter; whatever the registry put there stays as it is. */
export const withParameter = (url: string, name: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`

/** The digest as upload URLs carry it: the colon is allowed in a query, and some registries read no other. */
export const withDigest = (url: string, digest: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}digest=${digest}`

/** Starts an upload; returns where it goes on. */
export async function startUpload(client: RegistryClient, repository: string): Promise<string> {
  return locationOf(need('starting an upload', await client.post(`/v2/${repository}/blobs/uploads/`), 202))
}

/** The closing PUT of an upload, with the whole content where it is given. */
export function closeUpload(
  client: RegistryClient,
  location: string,
  digest: string,
  content?: Content,
): Promise<Answer> {
  return client.put(withDigest(location, digest), { headers: octets, body: content ?? literal('') })
}

/** One chunk of an upload, with its place where that is to be told. */
export function sendChunk(
  client: RegistryClient,
  location: string,
  chunk: Content,
  start?: number,
): Promise<Answer> {
  const range = start === undefined ? {} : { 'content-range': `${start}-${start + chunk.size - 1}` }
  return client.patch(location, { headers: { ...octets, ...range }, body: chunk })
}

/** Pushes a blob as most clients do: POST, then PUT. */
export async function pushBlob(
  client: RegistryClient,
  repository: string,
  content: Content,
): Promise<Content> {
  const location = await startUpload(client, repository)
  need('pushing a blob', await closeUpload(client, location, content.digest, content), 201)
  return content
}

/** Puts a manifest under a tag or its digest, and gives the answer back whatever it is. */
export function putManifest(
  client: RegistryClient,
  repository: string,
  manifest: TypedContent,
  reference: string = manifest.digest,
): Promise<Answer> {
  const headers = { 'content-type': manifest.mediaType }
  return client.put(`/v2/${repository}/manifests/${reference}`, { headers, body: manifest })
}

/** Pushes a manifest whose blobs are there. */
export async function pushManifest(
  client: RegistryClient,
  repository: string,
  manifest: TypedContent,
  reference?: string,
): Promise<TypedContent> {
  need('pushing a manifest', await putManifest(client, repository, manifest, reference), 201)
  return manifest
}

/** The smallest manifest there is, one that no other run has. Its only blob is the empty config. */
export function artifact(source: Source): TypedContent {
  const annotations = { 'org.example.name': source.name('artifact') }
  return artifactManifest({ artifactType: vendorTypes.artifact, annotations })
}

/** Pushes such a manifest and its blob, under a tag or its digest. */
export async function pushArtifact(
  client: RegistryClient,
  repository: string,
  source: Source,
  reference?: string,
): Promise<TypedContent> {
  await pushBlob(client, repository, emptyConfig)
  return pushManifest(client, repository, artifact(source), reference)
}

/** An image whose config and layers are pushed, so that its manifest can be. */
export async function prepareImage(
  client: RegistryClient,
  repository: string,
  source: Source,
): Promise<Image> {
  const prepared = await image(source)
  const parts = [prepared.config, ...prepared.layers]
  await Promise.all(parts.map((part) => pushBlob(client, repository, part)))
  return prepared
}

/** Pushes a whole image, its manifest last, under a tag or its digest. */
export async function pushImage(
  client: RegistryClient,
  repository: string,
  source: Source,
  reference?: string,
): Promise<Image> {
  const prepared = await prepareImage(client, repository, source)
  await pushManifest(client, repository, prepared.manifest, reference)
  return prepared
}
