import { faultKinds } from '../../../../harness/fault-kinds.ts'
import { asking, rewriting, to, withBody, withHeaders, withStatus } from '../../../../harness/rewrite.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { having, path, setting } from '../../wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { blob } = path

/** The registry is asked for another range than the client asked for. */
const instead = (change: (range: string) => string | null) =>
  asking(to('GET', blob), (request) => {
    const headers = new Headers(request.headers)
    const range = headers.get('range')
    const other = range === null ? null : change(range)
    if (other === null) headers.delete('range')
    else headers.set('range', other)
    return new Request(request.url, { headers })
  })

const partial = (change: (response: Response, request: Request) => Response | Promise<Response>) =>
  rewriting(to('GET', blob), having(206, change))

const asks = (request: Request, range: RegExp) => range.test(request.headers.get('range') ?? '')

const several = (change: (response: Response) => Response | Promise<Response>) =>
  rewriting(to('GET', blob), (response, request) => (asks(request, /,/) ? change(response) : response))

const multipart = (body: string) =>
  new Response(Buffer.from(body, 'latin1'), {
    status: 206,
    headers: { 'content-type': 'multipart/byteranges; boundary=x' },
  })

export const faults = [
  interoperability(
    'oci.pull.blob.range.ignored',
    'Range is ignored',
    ['oci.pull.blob.range.supported'],
    { registry: instead(() => null) },
    'takes the whole blob and skips what it has',
  ),
  interoperability(
    'oci.pull.blob.range.as-200',
    'a part of a blob is sent with 200',
    ['oci.pull.blob.range.supported'],
    { registry: partial((response) => withStatus(response, 200)) },
  ),
  corruption(
    'oci.pull.blob.range.shifted',
    'a range is served one byte further on',
    ['oci.pull.blob.range.content-range'],
    {
      registry: partial((response) => withBody(response, (bytes) => Uint8Array.from([...bytes.slice(1), 0]))),
    },
    'checks the digest of the whole',
  ),
  corruption(
    'oci.pull.blob.range.exclusive',
    'the last byte of a range is left out, and Content-Range says otherwise',
    ['oci.pull.blob.range.content-range'],
    {
      registry: partial((response) => withBody(response, (bytes) => bytes.slice(0, -1))),
    },
  ),
  interoperability(
    'oci.pull.blob.range.no-content-range',
    'a 206 does not say which bytes it has',
    ['oci.pull.blob.range.content-range'],
    {
      registry: partial((response) => withHeaders(response, { 'content-range': null })),
    },
  ),
  interoperability(
    'oci.pull.blob.range.size-of-part',
    'Content-Range gives the size of the part for that of the blob',
    ['oci.pull.blob.range.content-range'],
    {
      registry: partial((response) =>
        withHeaders(response, {
          'content-range':
            response.headers
              .get('content-range')
              ?.replace(/\/.*/, `/${response.headers.get('content-length')}`) ?? null,
        }),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.equals-sign',
    'Content-Range is written like a Range, with an equals sign',
    ['oci.pull.blob.range.content-range'],
    {
      registry: partial((response) =>
        withHeaders(response, {
          'content-range': response.headers.get('content-range')?.replace(' ', '=') ?? null,
        }),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.open-ended-416',
    'a range without an end answers 416',
    ['oci.pull.blob.range.open-ended'],
    {
      registry: partial((response, request) => (asks(request, /-$/) ? withStatus(response, 416) : response)),
    },
    'gives the end of the range',
  ),
  corruption(
    'oci.pull.blob.range.open-ended-one-byte',
    'a range without an end gives one byte',
    ['oci.pull.blob.range.open-ended'],
    {
      registry: instead((range) => range.replace(/=(\d+)-$/, '=$1-$1')),
    },
  ),
  corruption(
    'oci.pull.blob.range.suffix-as-prefix',
    'the last N bytes are asked for, and the first N come',
    ['oci.pull.blob.range.suffix'],
    {
      registry: instead((range) =>
        range.replace(/=-(\d+)$/, (_, length: string) => `=0-${Number(length) - 1}`),
      ),
    },
    'checks Content-Range',
  ),
  interoperability(
    'oci.pull.blob.range.suffix-416',
    'a suffix longer than the blob answers 416',
    ['oci.pull.blob.range.suffix'],
    {
      registry: partial((response, request) =>
        asks(request, /=-/) && response.headers.get('content-range')?.startsWith('bytes 0-')
          ? withStatus(response, 416)
          : response,
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.clamped-416',
    'a range that ends past the blob answers 416',
    ['oci.pull.blob.range.clamped'],
    {
      registry: partial((response, request) => {
        const last = Number(/-(\d+)$/.exec(request.headers.get('range') ?? '')?.[1])
        const size = Number(response.headers.get('content-range')?.replace(/.*\//, ''))
        return last >= size ? withStatus(response, 416) : response
      }),
    },
  ),
  corruption(
    'oci.pull.blob.range.clamped-padded',
    'a range that ends past the blob is filled with zeros',
    ['oci.pull.blob.range.clamped'],
    {
      registry: partial((response, request) =>
        asks(request, /-(?:2048|5048)$/)
          ? withBody(response, (bytes) => Uint8Array.from([...bytes, 0]))
          : response,
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.unsatisfiable-500',
    'a range past the end answers 500',
    ['oci.pull.blob.range.unsatisfiable-416'],
    {
      registry: rewriting(
        to('GET', blob),
        having(416, (response) => withStatus(response, 500)),
      ),
    },
  ),
  corruption(
    'oci.pull.blob.range.unsatisfiable-empty',
    'a range past the end answers 206 without bytes',
    ['oci.pull.blob.range.unsatisfiable-416'],
    {
      registry: rewriting(
        to('GET', blob),
        having(416, (response) => withStatus(response, 206)),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.unsatisfiable-no-size',
    'a 416 does not tell the size of the blob',
    ['oci.pull.blob.range.unsatisfiable-416'],
    {
      registry: rewriting(
        to('GET', blob),
        having(416, (response) => withHeaders(response, { 'content-range': null })),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.unsatisfiable-at-end',
    'a range that begins just at the end answers 200',
    ['oci.pull.blob.range.unsatisfiable-416'],
    {
      registry: rewriting(
        to('GET', blob),
        having(416, (response, request) => (asks(request, /-$/) ? withStatus(response, 200) : response)),
      ),
    },
  ),
  corruption(
    'oci.pull.blob.range.invalid-guessed',
    'a range in another unit is read as bytes',
    ['oci.pull.blob.range.invalid'],
    {
      registry: (next) =>
        rewriting(to('GET', blob), (response, request) =>
          asks(request, /^items/) ? withStatus(response, 200) : response,
        )(instead((range) => range.replace('items', 'bytes'))(next)),
    },
  ),
  interoperability(
    'oci.pull.blob.range.invalid-500',
    'a range that is none answers 500',
    ['oci.pull.blob.range.invalid'],
    {
      registry: rewriting(to('GET', blob), (response, request) =>
        asks(request, /abc/) ? withStatus(response, 500) : response,
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.announced-by-head',
    'Accept-Ranges is sent by HEAD alone',
    ['oci.pull.blob.range.accept-ranges'],
    { registry: setting('GET', blob, { 'accept-ranges': null }) },
  ),
  interoperability(
    'oci.pull.blob.range.announced-none',
    'ranges are served and Accept-Ranges says none',
    ['oci.pull.blob.range.accept-ranges'],
    {
      registry: (next) =>
        setting('HEAD', blob, { 'accept-ranges': 'none' })(
          setting('GET', blob, { 'accept-ranges': 'none' })(next),
        ),
    },
  ),
  corruption(
    'oci.pull.blob.range.multi-first-only',
    'of several ranges the first is served as if it were all',
    ['oci.pull.blob.range.multi'],
    {
      registry: rewriting(to('GET', blob), (response, request) =>
        asks(request, /,/)
          ? withBody(
              withHeaders(withStatus(response, 206), { 'content-range': 'bytes 0-19/2048' }),
              (bytes) => bytes.slice(0, 11),
            )
          : response,
      ),
    },
  ),
  corruption(
    'oci.pull.blob.range.multi-unlabelled',
    'several ranges come one after the other without saying where each ends',
    ['oci.pull.blob.range.multi'],
    {
      registry: rewriting(to('GET', blob), (response, request) =>
        asks(request, /,/)
          ? withBody(withStatus(response, 206), (bytes) =>
              Uint8Array.from([...bytes.slice(0, 1), ...bytes.slice(10, 20)]),
            )
          : response,
      ),
    },
  ),
  corruption(
    'oci.pull.blob.range.multi-wrong-byte',
    'several ranges are answered with one part of other bytes',
    ['oci.pull.blob.range.multi'],
    {
      registry: several((response) =>
        withBody(withHeaders(withStatus(response, 206), { 'content-range': 'bytes 0-0/2048' }), (bytes) =>
          Uint8Array.of((bytes[0] ?? 0) ^ 1),
        ),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.multi-203',
    'several ranges are answered 203 with one over them',
    ['oci.pull.blob.range.multi'],
    {
      registry: several((response) =>
        withBody(withHeaders(withStatus(response, 203), { 'content-range': 'bytes 0-19/2048' }), (bytes) =>
          bytes.slice(0, 20),
        ),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.multi-500',
    'several ranges answer 500',
    ['oci.pull.blob.range.multi'],
    { registry: several((response) => withStatus(response, 500)) },
  ),
  interoperability(
    'oci.pull.blob.range.multi-unterminated',
    'the last delimiter of several parts is missing',
    ['oci.pull.blob.range.multi'],
    {
      registry: several(async (response) => {
        const bytes = Buffer.from(await response.arrayBuffer())
        const part = (first: number, end: number) =>
          `--x\r\ncontent-range: bytes ${first}-${end - 1}/${bytes.length}\r\n\r\n${bytes.toString('latin1', first, end)}`
        return multipart(`${part(0, 1)}\r\n${part(10, 20)}`)
      }),
    },
  ),
  interoperability(
    'oci.pull.blob.range.multi-no-parts',
    'several ranges are answered with a multipart body of none',
    ['oci.pull.blob.range.multi'],
    { registry: several(() => multipart('--x--\r\n')) },
  ),
  interoperability(
    'oci.pull.blob.range.multi-no-header',
    'parts of several ranges have no header section',
    ['oci.pull.blob.range.multi'],
    { registry: several(() => multipart('--x\r\na\r\n--x--\r\n')) },
  ),
  corruption(
    'oci.pull.blob.range.if-range-part-as-200',
    'If-Range that does not match gets the part as if it were all',
    ['oci.pull.blob.range.if-range'],
    {
      registry: rewriting(to('GET', blob), (response, request) =>
        request.headers.has('if-range') ? withBody(response, (bytes) => bytes.slice(0, 10)) : response,
      ),
    },
  ),
  corruption(
    'oci.pull.blob.range.if-range-ignored',
    'If-Range is ignored',
    ['oci.pull.blob.range.if-range'],
    {
      registry: asking(to('GET', blob), (request) => {
        const headers = new Headers(request.headers)
        headers.delete('if-range')
        return new Request(request.url, { headers })
      }),
    },
    'checks the digest of the whole',
  ),
  interoperability(
    'oci.pull.blob.range.if-range-412',
    'If-Range that does not match answers 412',
    ['oci.pull.blob.range.if-range'],
    {
      registry: rewriting(to('GET', blob), (response, request) =>
        request.headers.has('if-range') ? withStatus(response, 412) : response,
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.head-206',
    'HEAD with Range answers 206',
    ['oci.pull.blob.range.head-ignored'],
    {
      registry: rewriting(to('HEAD', blob), (response, request) =>
        request.headers.has('range') ? withStatus(response, 206) : response,
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.range.head-length',
    'HEAD with Range tells the size of the part',
    ['oci.pull.blob.range.head-ignored'],
    {
      registry: rewriting(to('HEAD', blob), (response, request) =>
        request.headers.has('range') ? withHeaders(response, { 'content-length': '10' }) : response,
      ),
    },
  ),
]
