import { faultKinds } from '../harness/fault-kinds.ts'
import { rewriting, to, withBody, withHeaders, withStatus } from '../harness/rewrite.ts'
import type { Seams } from '../mocks/control/fault.ts'
import { keeping } from './oci/push/manifest-seams.faults.ts'
import { session, uploads } from './oci/push/upload-wire.ts'
import { heading, misread } from './oci/seams.faults.ts'
import { changing, errorAnswer, path, type Wire } from './oci/wire.ts'

const { corruption, interoperability, cosmetic } = faultKinds<Seams>()

const object = ['service.base.json-object']
const uuid = ['service.upload.uuid']
const column = ['service.column.255']

const root = (body: string): Seams => ({
  registry: changing('GET', path.root, (response) => withBody(response, () => body)),
})

const nameOf = (url: URL) => /\/v2\/(.+)\/(?:blobs|manifests)\//.exec(url.pathname)?.[1] ?? ''
const typeOf = ({ headers }: { headers: Headers }) => headers.get('content-type') ?? ''
const tooLong = (text: string | null | undefined) => (text?.length ?? 0) > 255

/** Fails as a database does whose column is too short. */
const overflowing = (isLong: (url: URL, request: Request) => boolean): Seams => ({
  registry:
    (next: Wire): Wire =>
    (request, context) =>
      isLong(new URL(request.url), request) ? errorAnswer(500, 'UNKNOWN') : next(request, context),
})

/** Gives an upload another name than its own. */
const renamed: Seams = {
  registry: (next) => {
    const outwards = (response: Response) =>
      withHeaders(response, {
        'docker-upload-uuid': null,
        location: (response.headers.get('location') ?? '').replace(
          /[^/]+$/,
          (id) => `upload.${id.slice(0, 8)}.${id.slice(8)}`,
        ),
      })
    const inwards = misread(to('*', session), ({ url }) => {
      url.pathname = url.pathname.replace(/upload\.([^/.]+)\.([^/]+)$/, '$1$2')
      return { url }
    })
    return rewriting(to('*', /\/blobs\/uploads\//), (response) =>
      response.headers.get('location')?.includes('/uploads/') ? outwards(response) : response,
    )(inwards(next))
  },
}

/** Takes the content of an upload at another place than the specification's. */
const elsewhere: Seams = {
  registry: (next) => {
    const data = /\/blobs\/uploads\/[^/]+\/data$/
    const further = rewriting(to('*', /\/blobs\/uploads\//), (response) => {
      const location = response.headers.get('location')
      return location?.includes('/uploads/')
        ? withHeaders(response, { location: `${location}/data` })
        : response
    })(
      misread(to('*', data), ({ url }) => {
        url.pathname = url.pathname.replace(/\/data$/, '')
        return { url }
      })(next),
    )
    return (request, context) =>
      to('*', session)(request) ? errorAnswer(404, 'BLOB_UPLOAD_UNKNOWN') : further(request, context)
  },
}

export const faults = [
  interoperability(
    'service.base.status-203',
    'GET /v2/ answers 203, as through a proxy that changes answers',
    object,
    { registry: changing('GET', path.root, (response) => withStatus(response, 203)) },
  ),
  interoperability('service.base.html', 'the body of GET /v2/ is a page', object, root('<h1>Registry</h1>')),
  interoperability('service.base.text', 'the body of GET /v2/ is a word', object, root('ok')),
  interoperability('service.base.null', 'the body of GET /v2/ is null', object, root('null')),
  interoperability('service.base.list', 'the body of GET /v2/ is a list', object, root('[]')),
  interoperability('service.base.empty', 'GET /v2/ has no body', object, root('')),
  cosmetic('service.base.version', 'the object of GET /v2/ is not empty', object, root('{"version":"2"}')),

  interoperability('service.upload.no-uuid', 'an upload has a name that is no UUID', uuid, renamed),
  interoperability(
    'service.upload.elsewhere',
    'the upload goes on below /v2/<name>/blobs/uploads/<uuid>, and not there',
    uuid,
    elsewhere,
  ),
  corruption(
    'service.upload.shut-at-first',
    'what comes with the first PUT of an upload is acknowledged, and the upload goes on',
    uuid,
    {
      registry: (next) => {
        const met = new Set<string>()
        return (request, context) => {
          const { pathname } = new URL(request.url)
          if (!to('PUT', session)(request) || met.has(pathname)) return next(request, context)
          met.add(pathname)
          return new Response(null, { status: 201, headers: { location: pathname } })
        }
      },
    },
  ),
  interoperability(
    'service.blob.digest-short',
    'digests that the registry tells lack their last digit',
    ['service.blob.digest-form'],
    {
      registry: rewriting(to('*', /\/v2\//), (response) =>
        withHeaders(response, {
          'docker-content-digest': response.headers.get('docker-content-digest')?.slice(0, -1) ?? null,
        }),
      ),
    },
  ),
  interoperability(
    'service.blob.digest-capitals-on-push',
    'the digest that a push of a blob is answered with is in capitals',
    ['service.blob.digest-form'],
    heading('PUT', session, 201, ({ headers }) => ({
      'docker-content-digest': `sha256:${headers.get('docker-content-digest')?.slice(7).toUpperCase()}`,
    })),
  ),

  interoperability(
    'service.column.name-500',
    'a name of more than 255 characters answers 500',
    column,
    overflowing((url) => tooLong(nameOf(url))),
  ),
  interoperability(
    'service.column.tag-500',
    'a tag of more than 255 characters answers 500',
    column,
    overflowing(({ pathname }) => tooLong(/\/manifests\/([^/:]+)$/.exec(pathname)?.[1])),
  ),
  interoperability(
    'service.column.digest-500',
    'a digest of more than 255 characters answers 500',
    column,
    overflowing(({ searchParams }) => tooLong(searchParams.get('digest'))),
  ),
  interoperability(
    'service.column.type-500',
    'a media type of more than 255 characters answers 500',
    column,
    overflowing((_, request) => tooLong(typeOf(request))),
  ),
  corruption('service.column.type-cut', 'a media type of more than 255 characters is cut there', column, {
    registry: misread(
      (request) => tooLong(typeOf(request)),
      ({ headers, body }) => {
        const type = typeOf({ headers })
        const text = Buffer.from(body).toString().replaceAll(type, type.slice(0, 255))
        headers.set('content-type', type.slice(0, 255))
        return { headers, body: new Uint8Array(Buffer.from(text)) }
      },
    ),
  }),
  corruption(
    'service.column.refused-yet-stored',
    'a manifest whose media type is refused as too long is served under its tag',
    column,
    keeping((reference) => !reference.includes(':')),
  ),
  interoperability(
    'service.column.session-500',
    'an upload that is opened under a name of more than 255 characters answers 503',
    column,
    {
      registry: rewriting(to('POST', uploads), (response, { url }) =>
        tooLong(nameOf(new URL(url))) ? errorAnswer(503, 'UNKNOWN') : response,
      ),
    },
  ),
]
