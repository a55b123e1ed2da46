import type { Answer } from '../../../harness/answer.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { startUpload, withDigest } from '../../push.ts'
import { blobPath, type ExistingManifest } from '../named-content.ts'

/** Something that a client may get wrong. */
export interface BadRequest {
  readonly what: string
  send(): Promise<Answer>
}

/** One request for each thing that a client may get wrong: names, references, digests, ranges, lengths, bodies, paging. */
export function badRequests(client: RegistryClient, manifest: ExistingManifest): readonly BadRequest[] {
  const { repository, mediaType, blob } = manifest
  const scopes = [`repository:${repository}:pull,push`]
  const get = (path: string, headers = {}) => client.get(path, { headers, scopes })
  const put = (reference: string, body: string, type = mediaType) =>
    client.put(`/v2/${repository}/manifests/${reference}`, {
      headers: { 'content-type': type },
      body,
      scopes,
    })
  const intoUpload = async (method: string, headers: Record<string, string>, query = (url: string) => url) =>
    client.request(method, query(await startUpload(client, repository)), { headers, body: 'ab', scopes })
  const requests: Readonly<Record<string, () => Promise<Answer>>> = {
    'a name in capitals': () => get('/v2/UPPER/manifests/latest'),
    'a name with an empty component': () => get('/v2/a//b/manifests/latest'),
    'a name with a broken percent-encoding': () => get(`/v2/${repository}%/manifests/latest`),
    'a name with a NUL': () => get(`/v2/${repository}%00/manifests/latest`),
    'a tag with a NUL': () => get(`/v2/${repository}/manifests/a%00b`),
    'a tag of bytes that are not UTF-8': () => get(`/v2/${repository}/manifests/%ff%fe`),
    'a tag of 5000 characters': () => get(`/v2/${repository}/manifests/${'x'.repeat(5000)}`),
    'a digest that is not hexadecimal': () => get(`/v2/${repository}/manifests/sha256:baddigeststring`),
    'a digest of an unknown algorithm': () => get(`/v2/${repository}/blobs/md9:${'0'.repeat(64)}`),
    'the digest of a blob as a manifest': () => get(`/v2/${repository}/manifests/${blob.digest}`),
    'the referrers of no digest': () => get(`/v2/${repository}/referrers/sha256:zz`),
    'a range that is none': () => get(blobPath(blob), { range: 'bytes=zz' }),
    'a range past every number': () => get(blobPath(blob), { range: `bytes=${'9'.repeat(30)}-` }),
    'a page size that is no number': () => get(`/v2/${repository}/tags/list?n=many`),
    'a negative page size': () => get(`/v2/${repository}/tags/list?n=-1`),
    'a page size past every number': () => get(`/v2/${repository}/tags/list?n=${'9'.repeat(30)}`),
    'a page after a NUL': () => get(`/v2/${repository}/tags/list?last=%00`),
    'a manifest that is not JSON': () => put('broken', '{'),
    'a manifest that is null': () => put('broken', 'null'),
    'a manifest of no bytes': () => put('broken', ''),
    'a manifest under another digest': () => put(`sha256:${'0'.repeat(64)}`, '{}'),
    'a manifest of no media type': () => put('broken', '{}', ''),
    'a chunk whose range is no range': () => intoUpload('PATCH', { 'content-range': 'from here on' }),
    'a chunk whose range is reversed': () => intoUpload('PATCH', { 'content-range': '9-0' }),
    'an upload closed without a digest': () => intoUpload('PUT', {}),
    'an upload closed with a malformed digest': () =>
      intoUpload('PUT', {}, (url) => withDigest(url, 'sha256:zz')),
    'an upload that was never started': () =>
      client.patch(`/v2/${repository}/blobs/uploads/no-such-upload`, { body: 'ab', scopes }),
    'a mount of no digest': () =>
      client.post(`/v2/${repository}/blobs/uploads/?mount=sha256:zz&from=${repository}`, { scopes }),
  }
  return Object.entries(requests).map(([what, send]) => ({ what, send }))
}
