import { randomUUID } from 'node:crypto'
import { type Variation, withholding } from '../../harness/fault.ts'
import { answering, asking, rewriting, to, withBody, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { changing, errorAnswer, falling, having, path, setting, type Wire } from './wire.ts'

const { root, manifest, tag, manifestDigest, blob } = path

const variation = (id: string, what: string, registry: NonNullable<Seams['registry']>): Variation<Seams> => ({
  id,
  what,
  seams: { registry },
})

const everything = /\/v2\//
const headers = (given: Readonly<Record<string, string | null>>) =>
  rewriting(to('*', everything), (response) => withHeaders(response, given))

/** Changes the bodies of refusals (4xx). */
const refusals = (change: (text: string) => string, type: string) =>
  rewriting(to('*', everything), async (response) => {
    if (response.status < 400 || response.status > 499 || response.body === null) return response
    return withBody(withHeaders(response, { 'content-type': type }), (body) =>
      change(Buffer.from(body).toString()),
    )
  })

/** Leads a successful read to another URL, under which the content is served to anybody who knows it. */
const redirecting =
  (method: string, where: RegExp, status: number, address: (url: URL, key: string) => string) =>
  (next: Wire): Wire => {
    const signed = new Map<string, Response>()
    const lead = changing(method, where, async (response, { url }) => {
      const key = randomUUID()
      // Read here, so that content which breaks off breaks this connection.
      const body = await response.arrayBuffer()
      signed.set(key, new Response(method === 'HEAD' ? null : body, response))
      return new Response(null, { status, headers: { location: address(new URL(url), key) } })
    })(next)
    return (request, context) => {
      const key = new URL(request.url).searchParams.get('signature') ?? ''
      return signed.get(key)?.clone() ?? lead(request, context)
    }
  }

/** A queue of more pieces takes a stream longer than any client waits. */
const mostPieces = 2000

/** The body in pieces of a few bytes, or of more where it is long. */
async function crumbs(response: Response, few: number): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const size = Math.max(few, Math.ceil(bytes.length / mostPieces))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
      controller.close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

const sameHost = (url: URL, key: string) => `${url.pathname}?signature=${key}`

export const variations = [
  withholding(
    withholding(
      variation(
        'oci.variation.blob-redirect',
        'blobs are redirected (307) to another host that asks for nothing',
        redirecting(
          'GET',
          blob,
          307,
          (url, key) => `http://localhost:${url.port}/storage/${key}?signature=${key}`,
        ),
      ),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.blob-redirect-302',
        'blobs are redirected (302) to a relative address',
        redirecting('GET', blob, 302, sameHost),
      ),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.blob-redirect-head',
        'HEAD of a blob is redirected (308)',
        redirecting('HEAD', blob, 308, sameHost),
      ),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.manifest-redirect',
        'manifests are redirected (303) to an absolute address',
        redirecting('GET', manifest, 303, (url, key) => `${url.origin}${sameHost(url, key)}`),
      ),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.blob-chunked',
        'blobs come in a transfer coding, without Content-Length',
        setting('GET', blob, { 'content-length': null }),
      ),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.manifest-chunked',
        'manifests come in a transfer coding, without Content-Length',
        setting('GET', manifest, { 'content-length': null }),
      ),
    ),
  ),
  withholding(variation('oci.variation.no-etag', 'no ETag is sent', headers({ etag: null }))),
  withholding(
    withholding(
      variation('oci.variation.no-ranges', 'ranges are not served, nor announced', (next: Wire) =>
        headers({ 'accept-ranges': null })(
          asking(to('GET', blob), (request) => {
            const kept = new Headers(request.headers)
            kept.delete('range')
            return new Request(request.url, { headers: kept })
          })(next),
        ),
      ),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.ranges-unannounced',
        'ranges are served and not announced',
        headers({ 'accept-ranges': null }),
      ),
    ),
  ),
  variation(
    'oci.variation.content-range-star',
    'Content-Range of a part leaves the size open',
    rewriting(
      to('GET', blob),
      having(206, (response) =>
        withHeaders(response, {
          'content-range': response.headers.get('content-range')?.replace(/\/\d+$/, '/*') ?? null,
        }),
      ),
    ),
  ),
  variation(
    'oci.variation.several-ranges-refused',
    'several ranges at once are refused with 416',
    answering(
      (request) => to('GET', blob)(request) && request.headers.get('range')?.includes(',') === true,
      () => new Response(null, { status: 416 }),
    ),
  ),
  variation(
    'oci.variation.warning',
    'every answer carries a valid Warning',
    headers({ warning: '299 - "a token is about to expire, \\"soon\\""' }),
  ),
  variation(
    'oci.variation.two-warnings',
    'every answer carries two valid Warnings',
    headers({ warning: '299 - "one", 299 - "and another, with a comma"' }),
  ),
  variation(
    'oci.variation.throttled',
    'every tenth read of a blob is answered with 429 once',
    (next: Wire) => {
      let asked = 0
      return (request, context) => {
        if (to('GET', blob)(request)) asked += 1
        return to('GET', blob)(request) && asked % 10 === 0
          ? errorAnswer(429, 'TOOMANYREQUESTS', { 'retry-after': '0' })
          : next(request, context)
      }
    },
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.errors-in-text',
        'errors are plain text',
        refusals(() => 'refused\n', 'text/plain; charset=utf-8'),
      ),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.errors-in-html',
        'errors are pages',
        refusals(() => '<!doctype html><title>refused</title>', 'text/html'),
      ),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.errors-empty',
        'errors have no body',
        refusals(() => '', 'application/json'),
      ),
    ),
  ),
  variation(
    'oci.variation.errors-with-more',
    'errors have members that the specification does not name, and no message',
    refusals(
      (text) =>
        text.startsWith('{')
          ? JSON.stringify({
              errors: JSON.parse(text).errors.map(({ code }: { code: string }) => ({
                code,
                detail: ['any', { thing: null }],
                hint: 7,
              })),
              request: 'f00d',
            })
          : text,
      'application/json; charset=utf-8',
    ),
  ),
  variation(
    'oci.variation.bad-digest-404',
    'malformed digests are not found rather than refused',
    rewriting(
      to('*', /\/(?:manifests|blobs)\/[^/]*:[^/]*$/),
      having(400, () => errorAnswer(404, 'MANIFEST_UNKNOWN')),
    ),
  ),
  variation(
    'oci.variation.bad-name-404',
    'bad names lead nowhere: 404 in plain text',
    rewriting(to('*', everything), async (response) =>
      response.status === 400 && (await response.clone().text()).includes('NAME_INVALID')
        ? new Response('404 page not found\n', { status: 404 })
        : response,
    ),
  ),
  variation(
    'oci.variation.unacceptable-406',
    'a manifest that the client does not accept is refused with 406',
    changing('GET', manifestDigest, (response, request) => {
      const accept = request.headers.get('accept') ?? '*/*'
      return accept.includes('*/*') || accept.includes(response.headers.get('content-type') ?? '')
        ? response
        : errorAnswer(406, 'MANIFEST_UNKNOWN')
    }),
  ),
  variation(
    'oci.variation.manifests-as-blobs',
    'manifests can be read as blobs too',
    falling('GET', blob, (at) => at.replace('/blobs/', '/manifests/')),
  ),
  variation('oci.variation.blob-type', 'blobs go under binary/octet-stream', (next: Wire) =>
    setting('HEAD', blob, { 'content-type': 'binary/octet-stream' })(
      setting('GET', blob, { 'content-type': 'binary/octet-stream' })(next),
    ),
  ),
  withholding(
    withholding(
      variation(
        'oci.variation.no-version-header',
        'Docker-Distribution-API-Version is not sent',
        headers({ 'docker-distribution-api-version': null }),
      ),
    ),
  ),
  variation(
    'oci.variation.more-headers',
    'answers carry headers of proxies and caches',
    headers({
      'cache-control': 'no-store',
      vary: 'Accept, Authorization',
      'x-request-id': 'f00d',
      via: '1.1 edge',
      'strict-transport-security': 'max-age=1',
    }),
  ),
  variation(
    'oci.variation.closing',
    'every connection is closed after one answer',
    headers({ connection: 'close' }),
  ),
  variation(
    'oci.variation.slow',
    'every answer takes a little longer',
    (next: Wire) => async (request, context) => {
      await new Promise((resolve) => setTimeout(resolve, 3))
      return next(request, context)
    },
  ),
  variation(
    'oci.variation.fragmented',
    'manifests and tags come in crumbs',
    changing('GET', /\/(?:manifests|tags)\//, (response) => crumbs(response, 7)),
  ),
  variation(
    'oci.variation.root-body',
    'the API root says who it is',
    changing('GET', root, (response) =>
      withHeaders(response, { server: 'a registry', 'x-content-type-options': 'nosniff' }),
    ),
  ),
  variation(
    'oci.variation.304-length',
    'a 304 tells the length of what it leaves out',
    rewriting(
      to('GET', manifest),
      having(304, (response) => withHeaders(response, { 'content-length': '123' })),
    ),
  ),
  variation(
    'oci.variation.weak-etag',
    'ETags of manifests are weak',
    changing('GET', tag, (response) => withHeaders(response, { etag: `W/${response.headers.get('etag')}` })),
  ),
]
