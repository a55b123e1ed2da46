import { emptyConfig } from '../../fixtures/config.ts'
import { type Content, literal, type TypedContent, typed } from '../../fixtures/content.ts'
import { artifactManifest } from '../../fixtures/manifest.ts'
import type { Source } from '../../fixtures/seed.ts'
import type { Answer } from '../../harness/answer.ts'
import { expectBytes, expectContent, expectStatus } from '../../harness/finding.ts'
import type { RequestOptions } from '../../harness/http.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import type { RunContext } from '../../harness/run-context.ts'
import { closeUpload, need, pushBlob, pushManifest, startUpload, withDigest } from '../push.ts'

/** A request that somebody without the right to it tries. */
export interface Attempt {
  readonly method: string
  /** Below the registry, or the absolute URL of an upload. */
  readonly path: string
  readonly options?: RequestOptions
}

/** A repository with one of everything in it, which nobody but its owner may touch. */
export interface Occupied {
  readonly repository: string
  readonly tag: string
  readonly blob: Content
  readonly manifest: TypedContent
  /** Where an upload of `unfinished` goes on that has not had a byte yet. */
  readonly session: string
  readonly unfinished: Content
}

export const send = (client: RegistryClient, { method, path, options }: Attempt): Promise<Answer> =>
  client.request(method, path, options)

const madeUp = '00000000-0000-4000-8000-000000000000'
const nowhere = `sha256:${'0'.repeat(64)}`
const octets = { 'content-type': 'application/octet-stream' }

/** Requests on a repository that holds nothing; a run that must not write sends only those that read. */
export function attemptsOn(repository: string, run: RunContext): readonly Attempt[] {
  const base = `/v2/${repository}`
  const upload = { headers: octets, body: literal('x') }
  const reading = [
    { method: 'GET', path: `${base}/manifests/latest` },
    { method: 'HEAD', path: `${base}/manifests/latest` },
    { method: 'GET', path: `${base}/blobs/${nowhere}` },
    { method: 'GET', path: `${base}/tags/list` },
  ]
  if (!run.capabilities.push?.offered) return reading
  return [
    ...reading,
    { method: 'POST', path: `${base}/blobs/uploads/` },
    { method: 'PATCH', path: `${base}/blobs/uploads/${madeUp}`, options: upload },
    { method: 'PUT', path: withDigest(`${base}/blobs/uploads/${madeUp}`, nowhere), options: upload },
    { method: 'DELETE', path: `${base}/manifests/${nowhere}` },
  ]
}

/** Pushes an image and begins an upload, as the owner. */
export async function occupy(client: RegistryClient, repository: string, content: Source): Promise<Occupied> {
  const tag = 'private'
  const layer = typed(content.bytes(512), 'application/vnd.assay.secret')
  const manifest = artifactManifest({ artifactType: 'application/vnd.assay.secret', layers: [layer] })
  await Promise.all([pushBlob(client, repository, emptyConfig), pushBlob(client, repository, layer)])
  await pushManifest(client, repository, manifest, tag)
  const session = await startUpload(client, repository)
  return { repository, tag, blob: layer, manifest, session, unfinished: content.bytes(256) }
}

/** Every way to read what is in a repository. */
export function readsOf(occupied: Occupied): readonly Attempt[] {
  const { repository, blob, manifest, session } = occupied
  const base = `/v2/${repository}`
  const contents = [
    readManifest(occupied),
    readManifest(occupied, manifest.digest),
    { method: 'GET', path: `${base}/blobs/${blob.digest}` },
  ]
  return [
    ...contents,
    ...contents.map((attempt) => ({ ...attempt, method: 'HEAD' })),
    { method: 'GET', path: `${base}/tags/list` },
    { method: 'GET', path: `${base}/referrers/${manifest.digest}` },
    { method: 'GET', path: session },
  ]
}

/** A pull of the manifest, by its tag unless told. */
export const readManifest = ({ repository, tag, manifest }: Occupied, reference: string = tag): Attempt => ({
  method: 'GET',
  path: `/v2/${repository}/manifests/${reference}`,
  options: { headers: { accept: manifest.mediaType } },
})

/** Every way to change what is in a repository; the last ones take something away. */
export function writesOf(occupied: Occupied, intruder: Content): readonly Attempt[] {
  const { repository, blob, manifest } = occupied
  const base = `/v2/${repository}`
  const manifestType = { 'content-type': manifest.mediaType }
  return [
    { method: 'POST', path: `${base}/blobs/uploads/` },
    {
      method: 'POST',
      path: withDigest(`${base}/blobs/uploads/`, intruder.digest),
      options: { headers: octets, body: intruder },
    },
    { method: 'PUT', path: `${base}/manifests/intruder`, options: { headers: manifestType, body: manifest } },
    ...sessionWritesOf(occupied, intruder),
    { method: 'DELETE', path: `${base}/manifests/${manifest.digest}` },
    { method: 'DELETE', path: `${base}/blobs/${blob.digest}` },
  ]
}

/** Every way to interfere with an upload that somebody else began. */
export function sessionWritesOf({ session }: Occupied, intruder: Content): readonly Attempt[] {
  const upload = { headers: octets, body: intruder }
  return [
    { method: 'PATCH', path: session, options: upload },
    { method: 'PUT', path: withDigest(session, intruder.digest), options: upload },
    { method: 'DELETE', path: session },
  ]
}

/** What the owner pushed is still there, nothing was added, and the upload that was begun can be ended. */
export async function expectUntouched(client: RegistryClient, occupied: Occupied): Promise<void> {
  const { repository, blob, manifest, session, unfinished } = occupied
  const base = `/v2/${repository}`
  const byTag = await send(client, readManifest(occupied))
  expectContent(byTag, manifest.bytes)
  expectStatus(await client.head(`${base}/blobs/${blob.digest}`, { fresh: true }), 200)
  expectStatus(await client.get(`${base}/manifests/intruder`, { fresh: true }), 404)
  expectStatus(await closeUpload(client, session, unfinished.digest, unfinished), 201)
  const finished = need(
    'reading the upload back',
    await client.get(`${base}/blobs/${unfinished.digest}`),
    200,
  )
  expectBytes(finished, unfinished.bytes)
}
