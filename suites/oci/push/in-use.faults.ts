import type { Variation } from '../../../harness/fault.ts'
import { rewriting, to, withHeaders } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { having, path, type Wire } from '../wire.ts'
import { uploading } from './upload-wire.ts'

const { manifestDigest } = path

/** What registries in use do when they are pushed to, and no sentence forbids. */
export const variations: readonly Variation<Seams>[] = [
  {
    id: 'oci.variation.known-blob-unread',
    what: 'an upload under the digest of a blob that is there answers 201, whatever comes',
    seams: {
      registry:
        (next: Wire): Wire =>
        async (request, context) => {
          const { origin, pathname, searchParams } = new URL(request.url)
          const digest = searchParams.get('digest')
          if (!to('POST', uploading)(request) || !digest) return next(request, context)
          const { headers } = request
          const location = pathname.replace(/uploads\/[^/]*$/, digest)
          const known = await next(new Request(`${origin}${location}`, { method: 'HEAD', headers }), {})
          if (known.status !== 200) return next(request, context)
          await request.arrayBuffer()
          return new Response(null, { status: 201, headers: { location } })
        },
    },
  },
  {
    id: 'oci.variation.untagged-collected',
    what: 'a manifest is collected when its last tag moves away',
    seams: {
      stores: ({ manifests, tags, ...rest }) => ({
        ...rest,
        tags,
        manifests: {
          ...manifests,
          async put(repository, pushed, given) {
            const before = given[0] === undefined ? undefined : await manifests.find(repository, given[0])
            await manifests.put(repository, pushed, given)
            if (!before || before.digest === pushed.digest) return
            const left = await tags.list(repository, { last: '', limit: 1000 })
            const found = await Promise.all(left.map((tag) => manifests.find(repository, tag)))
            if (found.some((one) => one?.digest === before.digest)) return
            await manifests.remove(repository, before.digest)
          },
        },
      }),
    },
  },
  {
    id: 'oci.variation.type-as-pushed',
    what: 'a manifest is served under the Content-Type of its push, whatever its mediaType is',
    seams: { registry: typeAsPushed },
  },
]

function typeAsPushed(next: Wire): Wire {
  const types = new Map<string, string>()
  const lax: Wire = async (request, context) => {
    if (!to('PUT', manifestDigest)(request)) return next(request, context)
    const body = await request.arrayBuffer()
    const headers = new Headers(request.headers)
    types.set(new URL(request.url).pathname, headers.get('content-type') ?? '')
    const { mediaType } = JSON.parse(Buffer.from(body).toString()) as { mediaType?: string }
    if (mediaType !== undefined) headers.set('content-type', mediaType)
    return next(new Request(request.url, { method: 'PUT', headers, body }), {})
  }
  return rewriting(
    to('GET', manifestDigest),
    having(200, (response, { url }) => {
      const type = types.get(new URL(url).pathname)
      return type === undefined ? response : withHeaders(response, { 'content-type': type })
    }),
  )(lax)
}
