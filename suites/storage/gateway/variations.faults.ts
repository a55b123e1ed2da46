import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Variation, withholding } from '../../../harness/fault.ts'
import { answering, rewriting, to, withBody, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { asVersion1 } from '../cid.ts'
import { changing, excusing, inPieces, queryOf, type Seam } from '../seams.faults.ts'
import { cars } from './car-sections.faults.ts'
import { answers, content, heading, isContent, isGet, overhearing, pathOf } from './seams.faults.ts'

const everything = /^\//

const variation = (id: string, what: string, gateway: Seam): Variation<Seams> => ({
  id,
  what,
  seams: { gateway },
})

/** Every answer whose header is there, with another value. */
const changingHeader = (name: string, change: (value: string) => string): Seam =>
  rewriting(to('*', content), (response) => {
    const value = response.headers.get(name)
    return value === null ? response : withHeaders(response, { [name]: change(value) })
  })

/** ETags of another form; the gateway knows its own again when they come back. */
const tagged =
  (write: (tag: string) => string, read: (text: string) => string): Seam =>
  (next) => {
    const back = overhearing((headers) => {
      for (const name of ['if-none-match', 'if-range']) {
        const told = headers.get(name)
        if (told !== null) headers.set(name, read(told))
      }
    })(next)
    return changingHeader('etag', write)(back)
  }

const pathOfVersion0 = /^(\/ipfs\/)(Qm\w{44})$/

/** The header of a CAR of version 1 with an empty list of roots. */
const rootless = new Uint8Array([
  17,
  0xa2,
  0x65,
  ...Buffer.from('roots'),
  0x80,
  0x67,
  ...Buffer.from('version'),
  1,
])

export const variations = [
  variation(
    'gateway.variation.headers',
    'answers carry headers of proxies and of careful operators',
    heading({
      via: '1.1 cache',
      'x-cache': 'HIT',
      age: '17',
      server: 'nginx',
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      vary: 'Origin, Accept, Range',
    }),
  ),
  withholding(
    variation(
      'gateway.variation.few-headers',
      'answers carry no headers of IPFS, of CORS or of ranges',
      heading({
        'x-ipfs-path': null,
        'x-ipfs-roots': null,
        'access-control-allow-origin': null,
        'access-control-allow-methods': null,
        'access-control-allow-headers': null,
        'access-control-expose-headers': null,
        'accept-ranges': null,
      }),
    ),
  ),
  variation(
    'gateway.variation.closed',
    'each connection is closed after one answer',
    heading({ connection: 'close' }),
  ),
  variation('gateway.variation.slow', 'every answer takes a while', (next) => async (request, context) => {
    await setTimeout(15)
    return next(request, context)
  }),
  withholding(
    variation(
      'gateway.variation.no-length',
      'content comes in a transfer coding, without Content-Length',
      changing(content, (response) => withHeaders(response, { 'content-length': null })),
    ),
  ),
  variation(
    'gateway.variation.pieces',
    'content comes in pieces of a few thousand bytes',
    changing(content, (response) => inPieces(response, 4000), isGet),
  ),
  variation(
    'gateway.variation.weak-etag',
    'ETags are weak',
    tagged(
      (tag) => (tag.startsWith('W/') ? tag : `W/${tag}`),
      (text) => text,
    ),
  ),
  variation(
    'gateway.variation.other-etag',
    'ETags are no CIDs',
    tagged(
      (tag) => tag.replace('"', '"file:'),
      (text) => text.replaceAll('"file:', '"'),
    ),
  ),
  withholding(variation('gateway.variation.no-etag', 'no ETag is sent', heading({ etag: null }))),
  variation(
    'gateway.variation.304-tells-more',
    'a 304 repeats the headers of the content',
    answers('GET', 304, (response) =>
      withHeaders(response, {
        'cache-control': 'public, max-age=29030400, immutable',
        date: new Date(0).toUTCString(),
      }),
    ),
  ),
  withholding(
    variation(
      'gateway.variation.no-conditions',
      'If-None-Match is ignored',
      overhearing((headers) => headers.delete('if-none-match')),
    ),
  ),
  withholding(
    variation(
      'gateway.variation.no-ranges',
      'ranges are ignored',
      overhearing((headers) => headers.delete('range')),
    ),
  ),
  withholding(
    variation(
      'gateway.variation.some-ranges',
      'only ranges from the first byte on are served, others give all',
      overhearing(
        (headers) => headers.delete('range'),
        ({ headers }) => !/^bytes=0-/.test(headers.get('range') ?? ''),
      ),
    ),
  ),
  withholding(
    variation(
      'gateway.variation.malformed-ignored',
      'a malformed range is ignored',
      overhearing(
        (headers) => headers.delete('range'),
        ({ headers }) =>
          !/^bytes=\d*-\d*$/.test(headers.get('range') ?? '') || headers.get('range') === 'bytes=9-0',
      ),
    ),
  ),
  variation(
    'gateway.variation.size-open',
    'Content-Range of a part leaves the size open',
    answers('GET', 206, (response) =>
      withHeaders(response, {
        'content-range': response.headers.get('content-range')?.replace(/\/\d+$/, '/*') ?? null,
      }),
    ),
  ),
  withholding(
    variation(
      'gateway.variation.no-formats',
      'blocks and CARs are not offered, and asked for in vain',
      (next) => (request, context) => {
        if (!isContent(request)) return next(request, context)
        const url = new URL(request.url)
        url.searchParams.delete('format')
        const headers = new Headers(request.headers)
        headers.delete('accept')
        return next(new Request(url, { method: request.method, headers }), context)
      },
    ),
  ),
  withholding(
    variation(
      'gateway.variation.formats-refused',
      'blocks and CARs are refused with 406',
      answering(
        (request) =>
          isContent(request) &&
          (queryOf(request).has('format') || (request.headers.get('accept') ?? '').includes('ipld')),
        () => new Response('not acceptable\n', { status: 406 }),
      ),
    ),
  ),
  variation(
    'gateway.variation.car-unordered',
    'a CAR states no order, names no root, and has its root last and a block twice',
    (next) => {
      const unordered = cars(({ blocks: [root = new Uint8Array(), ...rest] }) => [
        rootless,
        ...rest,
        root,
        root,
      ])(next)
      return rewriting(to('*', content), (response) =>
        response.headers.get('content-type')?.startsWith('application/vnd.ipld.car') === true
          ? withHeaders(response, { 'content-type': 'application/vnd.ipld.car; version=1' })
          : response,
      )(unordered)
    },
  ),
  variation(
    'gateway.variation.error-pages',
    'errors are pages for people',
    excusing(content, (response) =>
      response.body === null
        ? response
        : withBody(
            withHeaders(response, { 'content-type': 'text/html' }),
            () => '<!DOCTYPE html><title>Error</title>',
          ),
    ),
  ),
  variation(
    'gateway.variation.error-json',
    'errors are JSON',
    excusing(content, (response) =>
      response.body === null
        ? response
        : withBody(
            withHeaders(response, { 'content-type': 'application/json' }),
            () => '{"error":"not here"}',
          ),
    ),
  ),
  variation(
    'gateway.variation.searches',
    'content that nobody has is searched for, and then 504',
    (next) => async (request, context) => {
      const answer = await next(request, context)
      if (answer.status !== 404 || !isContent(request)) return answer
      await setTimeout(500)
      return withStatus(answer, 504)
    },
  ),
  variation(
    'gateway.variation.short-lived-404',
    'content that nobody has may be asked for again in a minute',
    answers('GET', 404, (response) => withHeaders(response, { 'cache-control': 'public, max-age=60' })),
  ),
  variation(
    'gateway.variation.methods-501',
    'methods that write are not implemented (501)',
    rewriting(
      ({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method),
      (response) => (response.status === 405 ? new Response(null, { status: 501 }) : response),
    ),
  ),
  variation(
    'gateway.variation.packed',
    'content is packed for those who accept gzip, and labelled',
    changing(
      content,
      async (response) => {
        const packed = await withBody(response, (bytes) => new Uint8Array(gzipSync(bytes)))
        return withHeaders(packed, { 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
      },
      (request) => isGet(request) && request.headers.get('accept-encoding') === 'gzip',
    ),
  ),
  variation(
    'gateway.variation.disposition',
    'all content has a Content-Disposition and a Last-Modified',
    heading({ 'content-disposition': 'inline', 'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  ),
  variation(
    'gateway.variation.redirects-version-0',
    'a CIDv0 is redirected to the same as CIDv1, on the same host',
    answering(
      (request) =>
        (request.method === 'GET' || request.method === 'HEAD') && pathOfVersion0.test(pathOf(request)),
      (request) => {
        const path = pathOf(request).replace(
          pathOfVersion0,
          (_, prefix, cid) => `${prefix}${asVersion1(cid)}`,
        )
        return new Response(null, { status: 301, headers: { location: path + new URL(request.url).search } })
      },
    ),
  ),
  variation(
    'gateway.variation.redirects-to-slash',
    'content is redirected (308) to its path with a slash behind it',
    (next) => (request, context) => {
      const url = new URL(request.url)
      const [, file] = /^(\/ipfs\/\w+)\/$/.exec(url.pathname) ?? []
      const { method, headers } = request
      if (file) return next(new Request(new URL(file + url.search, url), { method, headers }), context)
      const redirected =
        (isContent(request) || method === 'HEAD') && /^\/ipfs\/(?:Qm\w{44}|b\w{58})$/.test(url.pathname)
      if (!redirected) return next(request, context)
      return new Response(null, {
        status: 308,
        headers: { location: `${url.origin}${url.pathname}/${url.search}` },
      })
    },
  ),
  withholding(
    variation(
      'gateway.variation.no-version-1',
      'content is known under the CID that was told alone',
      answering(
        (request) => isContent(request) && /^\/ipfs\/b/.test(pathOf(request)),
        () => new Response('404 page not found\n', { status: 404 }),
      ),
    ),
  ),
  variation(
    'gateway.variation.api-forbidden',
    'what is no content is forbidden',
    answering(
      (request) => pathOf(request).startsWith('/api/'),
      () => new Response('403 - Forbidden\n', { status: 403 }),
    ),
  ),
  variation(
    'gateway.variation.304-length',
    'a 304 tells the length of what it leaves out',
    rewriting(to('GET', content), (response) =>
      response.status === 304 ? withHeaders(response, { 'content-length': '123' }) : response,
    ),
  ),
  variation(
    'gateway.variation.preflight-204',
    'OPTIONS answers 204',
    rewriting(to('OPTIONS', everything), (response) =>
      response.status === 200 ? withStatus(response, 204) : response,
    ),
  ),
]
