import { withholding } from '../../../harness/fault.ts'
import { rewriting, to, withHeaders } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { heading, misread, storing } from '../seams.faults.ts'
import { variation } from '../variation.faults.ts'
import { errorAnswer, path, type Wire } from '../wire.ts'
import { session, uploads } from './upload-wire.ts'

/** Refuses these requests of whoever may read there; all others are told that they may not. */
const refusing = (when: (request: Request) => boolean, status: number, code = 'UNSUPPORTED'): Seams => ({
  registry:
    (next: Wire): Wire =>
    async (request, context) => {
      const { url, headers } = request
      if (!when(request) || !headers.has('authorization')) return next(request, context)
      const read = await next(new Request(url, { method: 'HEAD', headers }), {})
      return [401, 403].includes(read.status) ? next(request, context) : errorAnswer(status, code)
    },
})

const deleting = (where: RegExp) => to('DELETE', where)

/** Puts uploads under addresses of another form. */
const readdressed = (outwards: (location: string) => string, inwards: (url: URL) => void): Seams => ({
  registry: (next) =>
    rewriting(to('*', /\/v2\//), (response, { url }) => {
      const location = response.headers.get('location')
      if (!location?.includes('/uploads/')) return response
      const { pathname, search } = new URL(location, url)
      return withHeaders(response, { location: outwards(`${pathname}${search}`) })
    })(
      misread(
        ({ url }) => /\/uploads\/|\/transfer\//.test(url),
        ({ url }) => {
          inwards(url)
          return { url }
        },
      )(next),
    ),
})

const without = (name: string, where: RegExp) =>
  misread(
    (request) => where.test(new URL(request.url).pathname) && new URL(request.url).searchParams.has(name),
    ({ url }) => {
      url.searchParams.delete(name)
      return { url }
    },
  )

export const variations = [
  variation(
    'oci.variation.upload-query',
    'the state of an upload is in the query of its address',
    readdressed(
      (location) => `${location}?_state=${Buffer.from(location).toString('base64')}&part=1`,
      (url) => {
        url.searchParams.delete('_state')
        url.searchParams.delete('part')
      },
    ),
  ),
  variation(
    'oci.variation.upload-elsewhere',
    'an upload goes on at an address that does not tell its repository',
    readdressed(
      (location) => `/transfer/${Buffer.from(location).toString('base64url')}`,
      (url) => {
        const [, told] = /^\/transfer\/([\w-]+)$/.exec(url.pathname) ?? []
        if (told) url.pathname = Buffer.from(told, 'base64url').toString()
      },
    ),
  ),
  withholding(
    variation('oci.variation.single-post-202', 'a single POST opens an upload', {
      registry: without('digest', uploads),
    }),
  ),
  withholding(
    variation('oci.variation.mount-never', 'no mount is granted: an upload is opened', {
      registry: without('mount', uploads),
    }),
  ),
  withholding(
    variation('oci.variation.no-digest-on-push', 'Docker-Content-Digest is not sent on pushes', {
      registry: (next) =>
        rewriting(to('PUT', /\/v2\//), (response) =>
          withHeaders(response, { 'docker-content-digest': null }),
        )(next),
    }),
  ),
  withholding(
    variation(
      'oci.variation.chunk-min-length',
      'a smallest length of chunks is announced, which all are asked to keep',
      heading('POST', uploads, 202, () => ({ 'oci-chunk-min-length': '2000' })),
    ),
  ),
  withholding(
    variation('oci.variation.no-cancel', 'uploads cannot be cancelled', refusing(deleting(session), 405)),
  ),
  withholding(
    variation(
      'oci.variation.no-deletes',
      'nothing can be deleted',
      refusing(deleting(/\/(?:manifests|blobs)\/[^/]+$/), 405),
    ),
  ),
  withholding(
    variation('oci.variation.no-tag-delete', 'tags cannot be deleted', refusing(deleting(path.tag), 400)),
  ),
  withholding(
    variation(
      'oci.variation.no-manifest-delete',
      'manifests cannot be deleted',
      refusing(deleting(path.manifestDigest), 405),
    ),
  ),
  withholding(
    variation('oci.variation.no-blob-delete', 'blobs cannot be deleted', refusing(deleting(path.blob), 405)),
  ),
  withholding(
    variation('oci.variation.no-tag-parameter', 'tags as parameters of a push are not known', {
      registry: without('tag', path.manifestDigest),
    }),
  ),
  withholding(
    variation(
      'oci.variation.sparse',
      'a manifest whose blobs are absent is taken',
      storing('manifests', (manifests) => ({
        put: (name, one, tags) => manifests.put(name, { ...one, sparse: true }, tags),
      })),
    ),
  ),
  withholding(
    variation(
      'oci.variation.no-sha512',
      'sha512 is not offered',
      refusing(({ url }) => /sha512/.test(url), 400, 'DIGEST_INVALID'),
    ),
  ),
  variation(
    'oci.variation.manifest-location-by-tag',
    'the Location of a pushed tag is that of the tag',
    heading('PUT', path.tag, 201, (_, { url }) => ({ location: new URL(url).pathname })),
  ),
  variation('oci.variation.no-uploads-without-slash', 'uploads begin at the path with its last slash alone', {
    registry: (next) => (request, context) =>
      to('POST', /\/blobs\/uploads$/)(request) ? errorAnswer(404, 'NAME_UNKNOWN') : next(request, context),
  }),
]
