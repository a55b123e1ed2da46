import type { Answer } from '../../../harness/answer.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { withDigest } from '../../push.ts'
import { blobPath, type ExistingBlob, type ExistingManifest } from '../named-content.ts'
import { triedUploads } from '../push/tried-upload.ts'

/** Something that a client may get wrong. */
export interface BadRequest {
  readonly what: string
  send(): Promise<Answer>
}

/** Where it is got wrong: what is only asked for beside what is there, what is sent in a repository of its own. */
export interface BadRequestOptions {
  readonly client: RegistryClient
  readonly repository: string
  readonly manifest: ExistingManifest
  readonly blob: ExistingBlob
}

/** One request for each thing that a client may get wrong: names, references, digests, ranges, lengths, bodies, paging. */
export function badRequests(options: BadRequestOptions): readonly BadRequest[] {
  const requests = { ...badReads(options), ...badManifests(options), ...badUploads(options) }
  return Object.entries(requests).map(([what, send]) => ({ what, send }))
}

type Requests = Readonly<Record<string, () => Promise<Answer>>>

function badReads({ client, manifest: { repository }, blob }: BadRequestOptions): Requests {
  const scopes = [`repository:${repository}:pull`]
  const get = (path: string) => client.get(path, { scopes })
  const ranged = (range: string) => client.get(blobPath(blob), { headers: { range } })
  return {
    'a name in capitals': () => get('/v2/UPPER/manifests/latest'),
    'a name with an empty component': () => get('/v2/a//b/manifests/latest'),
    'a name with a broken percent-encoding': () => get(`/v2/${repository}%/manifests/latest`),
    'a name with a NUL': () => get(`/v2/${repository}%00/manifests/latest`),
    'a tag with a NUL': () => get(`/v2/${repository}/manifests/a%00b`),
    'a tag of bytes that are not UTF-8': () => get(`/v2/${repository}/manifests/%ff%fe`),
    'a tag of 5000 characters': () => get(`/v2/${repository}/manifests/${'x'.repeat(5000)}`),
    'a digest that is not hexadecimal': () => get(`/v2/${repository}/manifests/sha256:baddigeststring`),
    'a digest of an unknown algorithm': () => get(`/v2/${repository}/blobs/md9:${'0'.repeat(64)}`),
    'the digest of a blob as a manifest': () => client.get(`/v2/${blob.repository}/manifests/${blob.digest}`),
    'the referrers of no digest': () => get(`/v2/${repository}/referrers/sha256:zz`),
    'a range that is none': () => ranged('bytes=zz'),
    'a range past every number': () => ranged(`bytes=${'9'.repeat(30)}-`),
    'a page size that is no number': () => get(`/v2/${repository}/tags/list?n=many`),
    'a negative page size': () => get(`/v2/${repository}/tags/list?n=-1`),
    'a page size past every number': () => get(`/v2/${repository}/tags/list?n=${'9'.repeat(30)}`),
    'a page after a NUL': () => get(`/v2/${repository}/tags/list?last=%00`),
  }
}

function badManifests({ client, repository, manifest: { mediaType } }: BadRequestOptions): Requests {
  const put = (reference: string, body: string, type = mediaType) =>
    client.put(`/v2/${repository}/manifests/${reference}`, { headers: { 'content-type': type }, body })
  return {
    'a manifest that is not JSON': () => put('broken', '{'),
    'a manifest that is null': () => put('broken', 'null'),
    'a manifest of no bytes': () => put('broken', ''),
    'a manifest under another digest': () => put(`sha256:${'0'.repeat(64)}`, '{}'),
    'a manifest of no media type': () => put('broken', '{}', ''),
  }
}

function badUploads({ client, repository }: BadRequestOptions): Requests {
  const attempt = triedUploads(client, repository)
  const chunk = (range: string) => () =>
    attempt((location) => client.patch(location, { headers: { 'content-range': range }, body: 'ab' }))
  return {
    'a chunk whose range is no range': chunk('from here on'),
    'a chunk whose range is reversed': chunk('9-0'),
    'an upload closed without a digest': () => attempt((location) => client.put(location, { body: 'ab' })),
    'an upload closed with a malformed digest': () =>
      attempt((location) => client.put(withDigest(location, 'sha256:zz'), { body: 'ab' })),
    'an upload that was never started': () =>
      client.patch(`/v2/${repository}/blobs/uploads/no-such-upload`, { body: 'ab' }),
    'a mount of no digest': () =>
      client.post(`/v2/${repository}/blobs/uploads/?mount=sha256:zz&from=${repository}`),
  }
}
