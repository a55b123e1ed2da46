import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, withBody, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import type { Bytes, Seam } from '../seams.faults.ts'
import { answers, isContent, overhearing } from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const exact = ['storage.gateway.range.exact']
const openEnds = ['storage.gateway.range.open-suffix']
const longSuffix = ['storage.gateway.range.long-suffix']
const beyond = ['storage.gateway.range.unsatisfiable']
const malformed = ['storage.gateway.range.malformed']
const ifRange = ['storage.gateway.if-range']
const comparesPlace = 'compares Content-Range with what it asked for'
const rehashes = 'checks the whole against the CID when it has all parts'

const rangeOf = (request: Request) => request.headers.get('range') ?? ''
const isSuffix = (request: Request) => rangeOf(request).startsWith('bytes=-')
const isOpen = (request: Request) => rangeOf(request).endsWith('-')
/** With these bytes the suites see whether a gateway serves ranges at all. */
const isFirst = (request: Request) => rangeOf(request) === 'bytes=0-9'
const isPart = (request: Request) => isContent(request) && rangeOf(request) !== '' && !isFirst(request)

type When = (request: Request) => boolean
const part = (
  change: (response: Response, request: Request) => Response | Promise<Response>,
  when: When = isPart,
): Seam =>
  rewriting(
    (request) => isContent(request) && when(request),
    (response, request) => (response.status === 206 ? change(response, request) : response),
  )
const partBytes = (change: (bytes: Bytes) => Bytes, when?: When) =>
  part((response) => withBody(response, change), when)
const place = (change: (place: string) => string | null, when?: When) =>
  part(
    (response) =>
      withHeaders(response, { 'content-range': change(response.headers.get('content-range') ?? '') }),
    when,
  )

/** Lets the gateway see another range than the client sent. */
const misread = (change: (range: string) => string, when: When): Seam =>
  overhearing((headers) => headers.set('range', change(headers.get('range') ?? '')), when)

const refused = (status: number, when: When): Seam =>
  answering(
    (request) => isContent(request) && when(request),
    () => new Response('invalid range\n', { status }),
  )

export const faults = [
  interoperability('gateway.range.ignored', 'ranges are ignored', ['storage.gateway.range'], {
    gateway: overhearing((headers) => headers.delete('range')),
  }),
  interoperability('gateway.range.200', 'a part is served as 200', ['storage.gateway.range'], {
    gateway: answers('GET', 206, (response) => withStatus(response, 200)),
  }),
  corruption(
    'gateway.range.200-later',
    'a part is served as if it were the whole, but for the very first bytes',
    [...exact, ...openEnds],
    { gateway: part((response) => withHeaders(withStatus(response, 200), { 'content-range': null })) },
    rehashes,
  ),
  interoperability('gateway.range.203', 'a part is served as 203', [...exact, ...openEnds], {
    gateway: part((response) => withStatus(response, 203)),
  }),
  corruption(
    'gateway.range.shifted',
    'a part begins one byte too late',
    [...exact, ...openEnds],
    { gateway: partBytes((bytes) => new Uint8Array([...bytes.slice(1), bytes[0] ?? 0])) },
    rehashes,
  ),
  corruption(
    'gateway.range.last-missing',
    'a part lacks its last byte',
    exact,
    { gateway: partBytes((bytes) => bytes.slice(0, -1)) },
    rehashes,
  ),
  corruption(
    'gateway.range.across-blocks',
    'a part that lies in two blocks has only what is in the first',
    exact,
    {
      gateway: partBytes(
        (bytes) => bytes.slice(0, 4),
        (request) => rangeOf(request).includes('262140-'),
      ),
    },
    rehashes,
  ),
  interoperability('gateway.range.place-missing', 'a part has no Content-Range', [...exact, ...openEnds], {
    gateway: place(() => null),
  }),
  interoperability(
    'gateway.range.place-off',
    'Content-Range counts the last byte as the one behind it',
    [...exact, ...openEnds],
    { gateway: place((told) => told.replace(/-(\d+)\//, (_, last) => `-${Number(last) + 1}/`)) },
    comparesPlace,
  ),
  interoperability('gateway.range.size-off', 'Content-Range tells a size that is one too many', exact, {
    gateway: place((told) => told.replace(/\d+$/, (size) => String(Number(size) + 1))),
  }),
  corruption(
    'gateway.range.suffix-as-prefix',
    'the last bytes are the first ones',
    openEnds,
    { gateway: misread((range) => range.replace('bytes=-', 'bytes=0-'), isSuffix) },
    comparesPlace,
  ),
  corruption(
    'gateway.range.suffix-one-more',
    'the last bytes begin one byte too early',
    openEnds,
    { gateway: misread((range) => range.replace(/\d+/, (count) => String(Number(count) + 1)), isSuffix) },
    comparesPlace,
  ),
  interoperability(
    'gateway.range.open-short',
    'a part with an open end stops at once',
    openEnds,
    { gateway: misread((range) => `${range}${range.replace(/\D/g, '')}`, isOpen) },
    comparesPlace,
  ),
  interoperability('gateway.range.end-refused', 'a range that ends beyond the end is refused', openEnds, {
    gateway: refused(416, (request) => rangeOf(request).endsWith('-300090')),
  }),
  corruption(
    'gateway.range.end-wrong',
    'the last byte of content is wrong in a range that ends beyond it',
    openEnds,
    {
      gateway: partBytes(
        (bytes) => bytes.fill(0, -1),
        (request) => rangeOf(request).endsWith('-300090'),
      ),
    },
    rehashes,
  ),
  interoperability(
    'gateway.range.long-suffix-refused',
    'more than all of the last bytes is refused',
    longSuffix,
    {
      gateway: refused(416, (request) => rangeOf(request) === 'bytes=-300001'),
    },
  ),
  corruption(
    'gateway.range.long-suffix-empty',
    'more than all of the last bytes is nothing',
    longSuffix,
    { gateway: refused(200, (request) => rangeOf(request) === 'bytes=-300001') },
    rehashes,
  ),
  interoperability('gateway.range.beyond-all', 'a range beyond the end gives all', beyond, {
    gateway: overhearing(
      (headers) => headers.delete('range'),
      (request) => rangeOf(request) === 'bytes=300000-',
    ),
  }),
  interoperability('gateway.range.beyond-empty', 'a range beyond the end is an empty 206', beyond, {
    gateway: answers(
      'GET',
      416,
      (response) =>
        new Response(null, {
          status: 206,
          headers: { 'content-range': response.headers.get('content-range') ?? '' },
        }),
    ),
  }),
  interoperability('gateway.range.beyond-silent', 'a 416 does not tell the length', beyond, {
    gateway: answers('GET', 416, (response) => withHeaders(response, { 'content-range': null })),
  }),
  interoperability('gateway.range.beyond-off', 'a 416 tells the last position as the length', beyond, {
    gateway: answers('GET', 416, (response) => withHeaders(response, { 'content-range': 'bytes */299999' })),
  }),
  interoperability('gateway.range.malformed-fails', 'a malformed range makes the gateway fail', malformed, {
    gateway: answers('GET', 400, (response) => withStatus(response, 500)),
  }),
  interoperability('gateway.range.other-unit', 'a range of another unit is served as bytes', malformed, {
    gateway: misread(
      (range) => range.replace('items', 'bytes'),
      (request) => rangeOf(request).startsWith('items'),
    ),
  }),
  corruption(
    'gateway.range.malformed-empty',
    'a malformed range gives nothing, with 200',
    malformed,
    { gateway: answers('GET', 400, () => new Response('')) },
    rehashes,
  ),
  corruption(
    'gateway.if-range.ignored',
    'If-Range is ignored, so that parts of two contents are put together',
    ifRange,
    { gateway: overhearing((headers) => headers.delete('if-range')) },
    rehashes,
  ),
  interoperability('gateway.if-range.203', 'If-Range with another validator is answered with 203', ifRange, {
    gateway: answers('GET', 200, (response, request) =>
      request.headers.has('if-range') ? withStatus(response, 203) : response,
    ),
  }),
  corruption(
    'gateway.if-range.part-as-all',
    'If-Range with another validator gives the part, as if it were all',
    ifRange,
    {
      gateway: (next) => {
        const ignoring = overhearing((headers) => headers.delete('if-range'))(next)
        return rewriting(
          (request) => isContent(request) && request.headers.has('if-range'),
          (response) => withHeaders(withStatus(response, 200), { 'content-range': null }),
        )(ignoring)
      },
    },
    rehashes,
  ),
]
