import { gunzipSync, gzipSync } from 'node:zlib'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, to, withBody, withHeaders } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { talkative } from '../../oci/wire.ts'
import { type Bytes, changing, type Seam } from '../seams.faults.ts'
import { answers, content, heading, instead, isGet, isHead, pathOf, serving } from './seams.faults.ts'

const { corruption, interoperability, security, cosmetic } = faultKinds<Seams>()

const head = ['storage.gateway.head']
const length = ['storage.gateway.content-length']
const types = ['storage.gateway.content-type']
const coding = ['storage.gateway.no-encoding']
const readOnly = ['storage.gateway.method-not-allowed']
const allow = ['storage.gateway.405-allow']
const cors = ['storage.gateway.cors']
const rehashes = 'asks for raw blocks, and checks them against their CIDs'

/** Content-Length that is off, where there is one. */
const lengthOff = (by: number, when: (request: Request) => boolean) =>
  changing(
    content,
    (response) => {
      const told = Number(response.headers.get('content-length'))
      return withHeaders(response, { 'content-length': String(Math.max(0, told + by)) })
    },
    when,
  )

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b
const unpacked = (bytes: Bytes): Bytes => (isGzip(bytes) ? new Uint8Array(gunzipSync(bytes)) : bytes)

/** Lets a method through, as if the gateway could be written to. */
const writable = (method: string, status: number): Seam =>
  answering(to(method, content), () => new Response(null, { status }))

/** Refuses a method, and does its work nevertheless. */
const obeying =
  (method: string, effect: (response: Response) => Response | Promise<Response>): Seam =>
  (next) => {
    const changed = new Set<string>()
    const wrong = changing(content, effect, isGet)(next)
    return (request, context) => {
      if (request.method === method) changed.add(pathOf(request))
      return (changed.has(pathOf(request)) ? wrong : next)(request, context)
    }
  }

const refusals = (headers: Readonly<Record<string, string | null>>): Seam => {
  const [post, put, patch, remove] = ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
    answers(method, 405, (response) => withHeaders(response, headers)),
  ) as [Seam, Seam, Seam, Seam]
  return (next) => post(put(patch(remove(next))))
}

const admitting = (method: string, origin: (request: Request) => string): Seam =>
  changing(
    content,
    (response, request) =>
      withHeaders(response, {
        'access-control-allow-origin': origin(request),
        'access-control-allow-credentials': 'true',
      }),
    (request) => request.method === method,
  )
const reflected = ({ headers }: Request) => headers.get('origin') ?? '*'

export const faults = [
  interoperability(
    'gateway.length-short',
    'Content-Length is one too few on GET',
    length,
    { gateway: lengthOff(-1, isGet) },
    'checks what it has against the CID',
  ),
  interoperability(
    'gateway.head.length-off',
    'Content-Length is one too many on HEAD',
    [...length, ...head],
    {
      gateway: lengthOff(1, isHead),
    },
  ),
  interoperability('gateway.head.length-zero', 'Content-Length is 0 on HEAD', [...length, ...head], {
    gateway: heading({ 'content-length': '0' }, isHead),
  }),
  interoperability('gateway.head.length-missing', 'HEAD tells no length', head, {
    gateway: heading({ 'content-length': null }, isHead),
  }),
  interoperability('gateway.head.204', 'HEAD answers 204', head, { gateway: instead('HEAD', 200, 204) }),
  interoperability('gateway.head.405', 'HEAD is refused', head, {
    gateway: answering(to('HEAD', content), () => new Response(null, { status: 405 })),
  }),
  interoperability('gateway.head.203', 'HEAD answers 203', head, { gateway: instead('HEAD', 200, 203) }),
  interoperability('gateway.head.other-type', 'HEAD tells another Content-Type than GET', head, {
    gateway: heading({ 'content-type': 'text/html' }, isHead),
  }),
  interoperability('gateway.head.no-etag', 'HEAD tells no ETag', head, {
    gateway: heading({ etag: null }, isHead),
  }),
  interoperability('gateway.head.not-cached', 'HEAD tells another Cache-Control than GET', head, {
    gateway: heading({ 'cache-control': 'no-store' }, isHead),
  }),
  interoperability(
    'gateway.head.body',
    'an answer to HEAD has a body',
    ['storage.gateway.head-no-body'],
    { gateway: talkative('HEAD', 200) },
    'closes the connection after HEAD',
  ),
  interoperability(
    'gateway.head.body-of-error',
    'an error to HEAD has a body',
    ['storage.gateway.head-no-body'],
    { gateway: talkative('HEAD', 412) },
    'closes the connection after HEAD',
  ),
  security('gateway.type.html', 'all content is text/html', types, {
    gateway: heading({ 'content-type': 'text/html; charset=utf-8' }),
  }),
  interoperability('gateway.type.octets', 'all content is application/octet-stream', types, {
    gateway: heading({ 'content-type': 'application/octet-stream' }),
  }),
  interoperability('gateway.type.text', 'all content is text/plain', types, {
    gateway: heading({ 'content-type': 'text/plain; charset=utf-8' }),
  }),
  interoperability('gateway.type.missing', 'no Content-Type is sent', types, {
    gateway: heading({ 'content-type': null }),
  }),
  interoperability('gateway.type.unknown-as-image', 'what is unknown is an image', types, {
    gateway: changing(content, (response) =>
      response.headers.get('content-type') === 'application/octet-stream'
        ? withHeaders(response, { 'content-type': 'image/png' })
        : response,
    ),
  }),
  corruption(
    'gateway.gzip.unpacked',
    'gzip is unpacked on the way',
    coding,
    { gateway: serving(unpacked) },
    rehashes,
  ),
  corruption(
    'gateway.gzip.labelled',
    'gzip is labelled with Content-Encoding, so that clients unpack it',
    coding,
    { gateway: heading({ 'content-encoding': 'gzip' }) },
    rehashes,
  ),
  corruption(
    'gateway.gzip.label-forgotten',
    'content is packed for those who accept it, and not labelled',
    coding,
    {
      gateway: serving(
        (bytes) => new Uint8Array(gzipSync(bytes)),
        ({ headers }) => headers.get('accept-encoding')?.includes('gzip') === true,
      ),
    },
    'asks for the identity coding',
  ),
  interoperability('gateway.coding.private', 'content is labelled with a coding that nobody has', coding, {
    gateway: heading({ 'content-encoding': 'x-assay' }),
  }),
  interoperability('gateway.coding.wrong', 'content is labelled as brotli, and is not', coding, {
    gateway: heading({ 'content-encoding': 'br' }),
  }),
  security('gateway.delete', 'DELETE succeeds', readOnly, { gateway: writable('DELETE', 200) }),
  security('gateway.put', 'PUT succeeds', readOnly, { gateway: writable('PUT', 201) }),
  interoperability('gateway.patch-fails', 'PATCH makes the gateway fail', readOnly, {
    gateway: writable('PATCH', 500),
  }),
  security('gateway.delete.done', 'DELETE is refused, and done', readOnly, {
    gateway: obeying('DELETE', () => new Response('404 page not found\n', { status: 404 })),
  }),
  security(
    'gateway.put.done',
    'PUT is refused, and done',
    readOnly,
    { gateway: obeying('PUT', (response) => withBody(response, () => 'something else')) },
    rehashes,
  ),
  cosmetic('gateway.405-silent', 'a 405 does not name the methods that are allowed', allow, {
    gateway: refusals({ allow: null }),
  }),
  cosmetic('gateway.405-contradicts', 'a 405 names methods that it refuses', allow, {
    gateway: refusals({ allow: 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE' }),
  }),
  cosmetic('gateway.405-without-get', 'a 405 does not name GET', allow, {
    gateway: refusals({ allow: 'OPTIONS' }),
  }),
  security(
    'gateway.cors.credentials',
    'every page may read the gateway with the credentials of its visitor',
    cors,
    {
      gateway: admitting('GET', reflected),
    },
  ),
  security('gateway.cors.preflight', 'the preflight allows credentials to every page', cors, {
    gateway: admitting('OPTIONS', reflected),
  }),
]
