import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import type { Stores } from '../../../mocks/registry/stores.ts'
import { withQuery } from '../seams.faults.ts'
import { errorAnswer, having, sha256 } from '../wire.ts'
import { uploads } from './upload-wire.ts'

const { corruption, security, interoperability, cosmetic } = faultKinds<Seams>()

const mounting = withQuery('POST', uploads, 'mount')
const answered = (status: number, change: (response: Response, request: Request) => Response): Seams => ({
  registry: rewriting(mounting, having(status, change)),
})
const digestHeader = 'docker-content-digest'
const either = ['oci.push.mount.201-or-202']
const missingBlob = 'oci.push.mount.missing-blob.202'
const missingRepository = 'oci.push.mount.missing-repo.202'
const location = ['oci.push.mount.201.location']
const malformed = ['oci.push.mount.invalid-digest']
const created = ({ url }: Request) => {
  const { pathname, searchParams } = new URL(url)
  return pathname.replace('uploads/', searchParams.get('mount') ?? '')
}

/** Mounts whatever is there, and asks nobody who may read it. */
const unguarded: Seams = (() => {
  let mount: Stores['blobs']['mount'] | undefined
  return {
    stores: (all) => {
      mount = all.blobs.mount
      return all
    },
    registry: (next) => async (request, context) => {
      const answer = await next(request, context)
      const { pathname, searchParams } = new URL(request.url)
      const [from, digest] = [searchParams.get('from'), searchParams.get('mount')]
      if (!mounting(request) || from === null || digest === null) return answer
      const name = pathname.replace(/^\/v2\/|\/blobs\/uploads\/$/g, '')
      if (!(await mount?.(name, from, digest))) return answer
      return new Response(null, { status: 201, headers: { location: created(request) } })
    },
  }
})()

export const faults = [
  interoperability(
    'oci.push.mount.200',
    'a mount answers 200',
    [...either, 'oci.push.mount.anonymous'],
    answered(201, (response) => withStatus(response, 200)),
  ),
  interoperability(
    'oci.push.mount.no-location',
    'the 201 to a mount has no Location',
    [...either, ...location],
    answered(201, (response) => withHeaders(response, { location: null })),
  ),
  interoperability(
    'oci.push.mount.location-other',
    'the Location of the 201 to a mount leads to no blob',
    location,
    answered(201, (response) =>
      withHeaders(response, { location: `${response.headers.get('location')?.slice(0, -1)}g` }),
    ),
  ),
  corruption(
    'oci.push.mount.forgotten',
    'a mount is acknowledged and not recorded',
    location,
    {
      stores: ({ blobs, ...rest }) => ({
        ...rest,
        blobs: { ...blobs, mount: (_name, from, digest) => blobs.find(from, digest) },
      }),
    },
    'looks with HEAD for what it mounted',
  ),
  corruption(
    'oci.push.mount.absent-201',
    'a mount of what is not there answers 201',
    [missingBlob, missingRepository, 'oci.push.mount.requires-source-pull'],
    answered(
      202,
      (_, request) => new Response(null, { status: 201, headers: { location: created(request) } }),
    ),
    'looks with HEAD for what it mounted',
  ),
  interoperability(
    'oci.push.mount.absent-404',
    'a mount of what is not there answers 404',
    [missingBlob, missingRepository],
    answered(202, () => errorAnswer(404, 'BLOB_UNKNOWN')),
    'uploads the blob',
  ),
  interoperability(
    'oci.push.mount.absent-401',
    'a mount of what is not there answers 401',
    [missingBlob, missingRepository],
    answered(202, () => errorAnswer(401, 'UNAUTHORIZED', { 'www-authenticate': 'Basic realm="registry"' })),
    'uploads the blob',
  ),
  interoperability(
    'oci.push.mount.absent-500',
    'a mount of what is not there answers 500',
    [missingBlob, missingRepository],
    answered(202, () => errorAnswer(500, 'UNKNOWN')),
  ),
  interoperability(
    'oci.push.mount.session-nowhere',
    'the 202 to a mount leads to an upload that is not there',
    ['oci.push.mount.202.session-usable'],
    answered(202, (response) =>
      withHeaders(response, { location: `${response.headers.get('location')?.slice(0, -4)}none` }),
    ),
    'starts an upload of its own',
  ),
  interoperability(
    'oci.push.mount.session-no-location',
    'the 202 to a mount has no Location',
    ['oci.push.mount.202.session-usable'],
    answered(202, (response) => withHeaders(response, { location: null })),
  ),
  interoperability(
    'oci.push.mount.anonymous-400',
    'a mount that names no source is refused',
    ['oci.push.mount.anonymous'],
    {
      registry: rewriting(mounting, (response, { url }) =>
        new URL(url).searchParams.has('from') ? response : errorAnswer(400, 'NAME_INVALID'),
      ),
    },
    'names the source',
  ),
  cosmetic(
    'oci.push.mount.digest-other',
    'the 201 to a mount names another digest',
    ['oci.push.mount.digest-header'],
    answered(201, (response) => withHeaders(response, { [digestHeader]: sha256('another blob') })),
  ),
  interoperability(
    'oci.push.mount.sha512-absent',
    'a mount of a sha512 digest answers 201, and mounts nothing under it',
    location,
    {
      registry: (next) => {
        const mounted = new Set<string>()
        return async (request, context) => {
          const { pathname, searchParams } = new URL(request.url)
          const wanted = searchParams.get('mount') ?? ''
          if (request.method === 'POST' && wanted.startsWith('sha512:')) mounted.add(created(request))
          if (request.method !== 'POST' && mounted.has(pathname)) return errorAnswer(404, 'BLOB_UNKNOWN')
          return next(request, context)
        }
      },
    },
  ),
  interoperability(
    'oci.push.mount.malformed-500',
    'a mount of a malformed digest answers 500',
    malformed,
    answered(400, (response) => withStatus(response, 500)),
  ),
  interoperability(
    'oci.push.mount.malformed-201',
    'a mount of a malformed digest answers 201',
    malformed,
    answered(
      400,
      (_, request) => new Response(null, { status: 201, headers: { location: created(request) } }),
    ),
  ),
  security(
    'oci.push.mount.unreadable-source',
    'a blob is mounted from a source that the client may not pull',
    ['oci.push.mount.requires-source-pull'],
    unguarded,
  ),
]
