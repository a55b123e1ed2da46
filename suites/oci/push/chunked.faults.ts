import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, to, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { heading, misread, restatus, withQuery } from '../seams.faults.ts'
import { errorAnswer } from '../wire.ts'
import { session, uploads } from './upload-wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const gap = 'oci.push.chunked.patch.gap.416'
const overlap = 'oci.push.chunked.patch.overlap.416'
const firstChunk = 'oci.push.chunked.patch.first-chunk-nonzero.416'
const untouched = 'oci.push.chunked.patch.416-no-side-effect'
const lastChunk = 'oci.push.chunked.put.final-out-of-order.416'
const range = 'oci.push.chunked.patch.range'
const rangeValue = 'oci.push.chunked.patch.range-value'

const startOf = (headers: Headers) => Number(headers.get('content-range')?.split('-')[0])
const lastOf = ({ headers }: Response) => Number(headers.get('range')?.split('-')[1])

/** Does not look where a chunk belongs. */
const appending = (method: string): Seams => ({
  registry: misread(to(method, session), ({ headers }) => {
    headers.delete('content-range')
    return { headers }
  }),
})

/** Takes a chunk that is out of order in some way for one in order. */
const lenient = (takes: (start: number, stored: number) => boolean): Seams => ({
  registry: (next) => {
    const stored = new Map<string, number>()
    const lax = misread(to('PATCH', session), ({ url, headers, body }) => {
      const size = stored.get(url.pathname) ?? 0
      const start = startOf(headers)
      const taken = start === size || takes(start, size)
      if (taken) stored.set(url.pathname, size + body.length)
      if (taken) headers.delete('content-range')
      return { headers }
    })
    return lax(next)
  },
})

/** Refuses with 416 a chunk whose bytes it has appended all the same. */
const appendingRefused: Seams = {
  registry: (next) => async (request, context) => {
    if (!to('PATCH', session)(request)) return next(request, context)
    const body = await request.arrayBuffer()
    const again = (headers: Headers) => new Request(request.url, { method: 'PATCH', headers, body })
    const answer = await next(again(request.headers), {})
    const headers = new Headers(request.headers)
    headers.delete('content-range')
    if (answer.status === 416) await next(again(headers), {})
    return answer
  },
}

/** Drops the session when it refuses a chunk. */
const dropping: Seams = {
  registry: (next) => async (request, context) => {
    const answer = await next(request, context)
    if (to('*', session)(request) && answer.status === 416) {
      const { headers } = new Request(request.url, { headers: request.headers })
      headers.delete('content-length')
      await next(new Request(request.url, { method: 'DELETE', headers }), {})
    }
    return answer
  },
}

const patched = (headers: (response: Response, request: Request) => Record<string, string | null>) =>
  heading('PATCH', session, 202, headers)

export const faults = [
  interoperability(
    'oci.push.chunked.post-length-0-refused',
    'a POST with Content-Length: 0 is refused',
    ['oci.push.chunked.post.content-length-0'],
    {
      registry: answering(
        (request) => to('POST', uploads)(request) && request.headers.get('content-length') === '0',
        () => errorAnswer(411, 'SIZE_INVALID'),
      ),
    },
  ),
  interoperability(
    'oci.push.chunked.algorithm-refused',
    'the parameter digest-algorithm breaks the POST',
    ['oci.push.chunked.digest-algorithm'],
    {
      registry: answering(withQuery('POST', uploads, 'digest-algorithm'), () => errorAnswer(500, 'UNKNOWN')),
    },
    'leaves the parameter out',
  ),
  interoperability(
    'oci.push.chunked.algorithm-unsupported-500',
    'a digest-algorithm that nobody has answers 500',
    ['oci.push.chunked.digest-algorithm.unsupported'],
    restatus('POST', uploads, 400, 500),
  ),
  interoperability(
    'oci.push.chunked.min-length-silent',
    'small chunks are refused, and nothing tells how long one must be',
    ['oci.push.chunked.min-length.header'],
    {
      registry: answering(
        (request) => to('PATCH', session)(request) && Number(request.headers.get('content-length')) < 900,
        () => errorAnswer(400, 'SIZE_INVALID'),
      ),
    },
  ),
  interoperability(
    'oci.push.chunked.min-length-words',
    'OCI-Chunk-Min-Length is told in words',
    ['oci.push.chunked.min-length.header'],
    heading('POST', uploads, 202, () => ({ 'oci-chunk-min-length': '5 MiB' })),
  ),
  interoperability(
    'oci.push.chunked.min-length-zero',
    'OCI-Chunk-Min-Length is 0',
    ['oci.push.chunked.min-length.header'],
    heading('POST', uploads, 202, () => ({ 'oci-chunk-min-length': '0' })),
  ),
  interoperability(
    'oci.push.chunked.min-length-for-last',
    'the last chunk must be as long as the others',
    ['oci.push.chunked.min-length.final-any'],
    {
      registry: answering(
        (request) => to('PATCH', session)(request) && Number(request.headers.get('content-length')) < 100,
        () => errorAnswer(400, 'SIZE_INVALID'),
      ),
    },
  ),
  interoperability(
    'oci.push.chunked.empty-close-refused',
    'an empty PUT does not close an upload',
    ['oci.push.chunked.put.close.201'],
    {
      registry: answering(
        (request) => to('PUT', session)(request) && request.headers.get('content-length') === '0',
        () => errorAnswer(500, 'UNKNOWN'),
      ),
    },
    'sends the last chunk with the closing PUT',
  ),
  corruption(
    'oci.push.chunked.final-chunk-dropped',
    'what comes with the closing PUT of an upload in chunks is left out',
    ['oci.push.chunked.put.final-chunk.201'],
    {
      registry: misread(
        (request) => to('PUT', session)(request) && request.headers.has('content-range'),
        ({ headers }) => {
          headers.delete('content-range')
          return { headers, body: new Uint8Array() }
        },
      ),
    },
    'closes with an empty PUT',
  ),
  corruption(
    'oci.push.chunked.final-range-ignored',
    'the place of a chunk in the closing PUT is not looked at',
    [lastChunk],
    appending('PUT'),
  ),
  corruption(
    'oci.push.chunked.range-ignored',
    'the place of a chunk is not looked at',
    [gap, overlap, firstChunk],
    appending('PATCH'),
  ),
  corruption(
    'oci.push.chunked.overlap-appended',
    'a chunk that overlaps is appended again',
    [overlap],
    lenient((start, stored) => start < stored),
  ),
  corruption(
    'oci.push.chunked.gap-closed',
    'a chunk that leaves a gap is appended',
    [gap],
    lenient((start, stored) => start > stored && stored > 0),
  ),
  corruption(
    'oci.push.chunked.first-anywhere',
    'the first chunk may start anywhere',
    [firstChunk],
    lenient((start, stored) => start > 0 && stored === 0),
  ),
  interoperability(
    'oci.push.chunked.out-of-order-400',
    'a chunk out of order answers 400',
    [gap, overlap, firstChunk],
    restatus('PATCH', session, 416, 400),
    'asks for the status of the upload after any refusal',
  ),
  interoperability(
    'oci.push.chunked.out-of-order-500',
    'a chunk out of order answers 500',
    [gap, overlap, firstChunk, lastChunk],
    restatus('*', session, 416, 500),
  ),
  corruption(
    'oci.push.chunked.refused-yet-appended',
    'a chunk that is refused with 416 is appended all the same',
    [untouched],
    appendingRefused,
    'asks for the status of the upload and begins again when it is wrong',
  ),
  interoperability(
    'oci.push.chunked.refused-drops-session',
    'a chunk out of order ends the upload',
    [untouched, lastChunk],
    dropping,
    'begins again',
  ),
  interoperability(
    'oci.push.chunked.patch-200',
    'a chunk is answered with 200',
    ['oci.push.chunked.patch.202'],
    restatus('PATCH', session, 202, 200),
  ),
  interoperability(
    'oci.push.chunked.patch-204',
    'a chunk is answered with 204, as by an early edition',
    ['oci.push.chunked.patch.202', 'oci.push.chunked.patch.stream'],
    restatus('PATCH', session, 202, 204),
  ),
  interoperability(
    'oci.push.chunked.patch-no-location',
    'the 202 to a chunk has no Location',
    ['oci.push.chunked.patch.location'],
    patched(() => ({ location: null })),
  ),
  interoperability(
    'oci.push.chunked.patch-location-list',
    'the Location of the 202 to a chunk leads to where uploads begin',
    ['oci.push.chunked.patch.location'],
    patched(({ headers }) => ({ location: headers.get('location')?.replace(/[^/]+$/, '') ?? null })),
  ),
  interoperability(
    'oci.push.chunked.range-missing',
    'the 202 to a chunk has no Range',
    [range, rangeValue],
    patched(() => ({ range: null })),
  ),
  interoperability(
    'oci.push.chunked.range-unit',
    'Range of the 202 to a chunk has a unit',
    [range],
    patched(({ headers }) => ({ range: `bytes=${headers.get('range')}` })),
    'reads Range with and without a unit',
  ),
  interoperability(
    'oci.push.chunked.range-length',
    'Range of the 202 to a chunk is the length alone',
    [range],
    patched((response) => ({ range: String(lastOf(response) + 1) })),
  ),
  corruption(
    'oci.push.chunked.range-exclusive',
    'Range of the 202 to a chunk ends one byte too late',
    [rangeValue],
    patched((response) => ({ range: `0-${lastOf(response) + 1}` })),
    'counts its own bytes',
  ),
  interoperability(
    'oci.push.chunked.range-of-chunk',
    'Range of the 202 to a chunk tells the length of that chunk alone',
    [rangeValue],
    patched((response, request) => ({
      range: `0-${Math.min(lastOf(response), Number(request.headers.get('content-length')) - 1)}`,
    })),
  ),
  interoperability(
    'oci.push.chunked.range-malformed-500',
    'a malformed Content-Range answers 500',
    ['oci.push.chunked.patch.content-range-malformed'],
    restatus('PATCH', session, 400, 500),
  ),
  corruption(
    'oci.push.chunked.range-malformed-taken',
    'a chunk with a malformed Content-Range is appended',
    ['oci.push.chunked.patch.content-range-malformed'],
    {
      registry: misread(
        (request) =>
          to('PATCH', session)(request) && !/^\d+-\d+$/.test(request.headers.get('content-range') ?? ''),
        ({ headers }) => {
          headers.delete('content-range')
          return { headers }
        },
      ),
    },
  ),
  corruption(
    'oci.push.chunked.length-mismatch-taken',
    'a chunk is taken whatever length its Content-Range tells',
    ['oci.push.chunked.patch.length-mismatch'],
    {
      registry: misread(to('PATCH', session), ({ headers, body }) => {
        const start = startOf(headers)
        if (!Number.isNaN(start)) headers.set('content-range', `${start}-${start + body.length - 1}`)
        return { headers }
      }),
    },
  ),
  interoperability(
    'oci.push.chunked.stream-refused',
    'a chunk without Content-Length is refused',
    ['oci.push.chunked.patch.stream'],
    {
      registry: rewriting(to('PATCH', session), (response, request) =>
        request.headers.has('content-length') ? response : errorAnswer(411, 'SIZE_INVALID'),
      ),
    },
    'sends a length',
  ),
  corruption(
    'oci.push.chunked.stream-cut',
    'a streamed chunk is cut at 1 MiB',
    ['oci.push.chunked.patch.stream'],
    {
      registry: misread(
        (request) => to('PATCH', session)(request) && !request.headers.has('content-length'),
        ({ body }) => ({ body: body.slice(0, 1 << 20) }),
      ),
    },
  ),
  corruption(
    'oci.push.chunked.incomplete-taken',
    'closing an upload that lacks bytes answers 201',
    ['oci.push.chunked.put.incomplete'],
    {
      registry: rewriting(to('PUT', session), (response) =>
        response.status === 400
          ? withHeaders(withStatus(new Response(null), 201), { location: '/v2/' })
          : response,
      ),
    },
  ),
]
