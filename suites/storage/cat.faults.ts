import { setTimeout } from 'node:timers/promises'
import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, to, withBody, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { ServerContext } from '../../mocks/handler.ts'
import {
  altering,
  argOf,
  type Bytes,
  changing,
  failure,
  flipped,
  fromTheNth,
  misasked,
  mixing,
  notFound,
  patience,
  queryOf,
  restatus,
  rpc,
  type Seam,
  sometimes,
} from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { add, cat, id } = rpc

const rehashes = 'computes the CID of what it read, and compares'
const comparesLength = 'compares the length of what it reads with X-Content-Length'

const isCat = to('*', cat)
const isSlice = (request: Request) => queryOf(request).has('offset') || queryOf(request).has('length')
const half = (bytes: Bytes) => bytes.slice(0, bytes.length >> 1)
/** What was added last drives out what was added first. */
const keeping =
  (most: number): Seam =>
  (next) => {
    const kept: string[] = []
    return async (request, context) => {
      if (isCat(request) && !kept.slice(-most).includes(argOf(request)) && kept.includes(argOf(request))) {
        return notFound(argOf(request))
      }
      const answer = await next(request, context)
      if (!to('POST', add)(request) || answer.status !== 200) return answer
      const text = await answer.text()
      kept.push(/"Hash":"([^"]+)"/.exec(text)?.[1] ?? '')
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    }
  }

/** Content is there for the connection that added it, and for no other. */
const ownConnection: Seam = (next) => {
  const owners = new Map<string, unknown>()
  return async (request, context) => {
    const socket = context.req?.socket
    if (isCat(request) && socket && (owners.get(argOf(request)) ?? socket) !== socket) {
      return notFound(argOf(request))
    }
    const answer = await next(request, context)
    if (!to('POST', add)(request) || answer.status !== 200) return answer
    const text = await answer.text()
    owners.set(/"Hash":"([^"]+)"/.exec(text)?.[1] ?? '', socket)
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
}

/** A fault that begins when a reader has hung up. */
const afterHangUp =
  (fault: Seam): Seam =>
  (next) => {
    let hungUp = false
    const wrong = fault(next)
    return async (request, context) => {
      watch(context, () => {
        hungUp = true
      })
      // A connection that was closed before is known to be closed by then.
      await setTimeout(patience)
      const answer = await (hungUp ? wrong : next)(request, context)
      return isCat(request) && answer.status === 200 ? hesitating(answer) : answer
    }
  }

/** The first bytes go ahead, so that a reader who leaves then is gone before the last. */
function hesitating(response: Response): Response {
  let first = true
  const pause = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      controller.enqueue(chunk)
      if (first) await setTimeout(patience)
      first = false
    },
  })
  return new Response(response.body?.pipeThrough(pause), response)
}

function watch({ res }: ServerContext, hungUp: () => void): void {
  res?.once('close', () => {
    if (!res.writableFinished) hungUp()
  })
}

/** No more than one read at a time. */
const single: Seam = (next) => {
  let underWay = 0
  return async (request, context) => {
    if (!isCat(request)) return next(request, context)
    if (underWay > 0) return failure(503, 'too many requests')
    underWay += 1
    try {
      await setTimeout(patience)
      return await withBody(await next(request, context), (bytes) => bytes)
    } finally {
      underWay -= 1
    }
  }
}

/** Ends well in the middle, and tells of the failure where few clients look. */
const endingEarly: Seam = (next) => async (request, context) => {
  const answer = await next(request, context)
  if (!isCat(request) || answer.status !== 200) return answer
  const part = half(new Uint8Array(await answer.arrayBuffer()))
  context.res?.addTrailers({ 'X-Stream-Error': 'failed to fetch all nodes' })
  return new Response(part, { headers: { ...Object.fromEntries(answer.headers), 'x-part': 'first' } })
}

export const faults = [
  interoperability(
    'storage.cat.status-206',
    'cat answers 206',
    [
      'storage.cat',
      'storage.cat.every-size',
      'storage.cat.concurrent',
      'storage.add.multi-chunk',
      'storage.add.cid-version',
      'storage.pin',
      'storage.gc.during-add',
    ],
    { storage: restatus(cat, 206) },
  ),
  interoperability('storage.cat.empty-204', 'empty content is answered with 204', ['storage.add.empty'], {
    storage: changing(cat, (response) =>
      response.headers.get('x-content-length') === '0' ? new Response(null, { status: 204 }) : response,
    ),
  }),
  corruption(
    'storage.cat.third-wrong',
    'from the third read of a content on, one bit is wrong',
    ['storage.cat'],
    {
      storage: sometimes(
        fromTheNth(3, cat, argOf),
        altering(cat, (bytes) => flipped(bytes)),
      ),
    },
    rehashes,
  ),
  corruption(
    'storage.cat.own-connection',
    'content is there on the connection that added it alone',
    ['storage.cat', 'storage.add.multi-chunk'],
    { storage: ownConnection },
    'reads back on another connection what it must not lose',
  ),
  corruption(
    'storage.cat.forgets-oldest',
    'only the ten contents that were added last can be read',
    ['storage.cat.every-size'],
    { storage: keeping(10) },
    'pins what it must not lose',
  ),
  corruption(
    'storage.cat.not-yet',
    'the first read of a content does not find it',
    ['storage.cat', 'storage.add.read-after-write', 'storage.add.cid-version'],
    {
      storage: (next) => {
        const known = new Set<string>()
        return answering(
          (request) => isCat(request) && !known.has(argOf(request)) && Boolean(known.add(argOf(request))),
          (request) => notFound(argOf(request)),
        )(next)
      },
    },
    'asks again',
  ),
  corruption(
    'storage.cat.flipped-when-large',
    'one bit is wrong in what cat gives of content over 1 MiB',
    ['storage.cat.concurrent', 'storage.cat.abort', 'storage.add.multi-chunk'],
    { storage: altering(cat, (bytes) => (bytes.length > 1 << 20 ? flipped(bytes, 1 << 20) : bytes)) },
    rehashes,
  ),
  corruption(
    'storage.cat.odd-cut',
    'cat leaves out the last byte of content of an odd length',
    ['storage.cat.every-size', 'storage.cat.length-true'],
    { storage: altering(cat, (bytes) => bytes.slice(0, bytes.length - (bytes.length % 2))) },
    comparesLength,
  ),
  corruption(
    'storage.cat.ends-early',
    'cat ends after half of the content with a clean 200, and tells the error in a trailer',
    ['storage.cat', 'storage.cat.length-true'],
    { storage: endingEarly },
    comparesLength,
  ),
  corruption(
    'storage.cat.breaks-off',
    'cat closes the connection in the middle of the content',
    ['storage.cat'],
    {
      storage: (next) => async (request, context) => {
        const answer = await next(request, context)
        if (!isCat(request) || answer.status !== 200) return answer
        const bytes = new Uint8Array(await answer.arrayBuffer())
        return withHeaders(new Response(half(bytes)), {
          'content-length': String(bytes.length),
          connection: 'close',
        })
      },
    },
    'takes nothing for the whole that broke off',
  ),
  interoperability(
    'storage.cat.no-method',
    'cat answers neither to GET nor to POST',
    ['storage.cat.methods'],
    {
      storage: answering(isCat, () => new Response(null, { status: 405, headers: { allow: 'PUT' } })),
    },
  ),
  corruption(
    'storage.cat.get-otherwise',
    'cat gives the content in base64 to GET',
    ['storage.cat.methods'],
    {
      storage: altering(
        cat,
        (bytes) => Buffer.from(bytes).toString('base64'),
        ({ method }) => method === 'GET',
      ),
    },
    'asks by POST',
  ),
  interoperability(
    'storage.cat.length-off',
    'X-Content-Length is one too many',
    ['storage.cat.length-true'],
    {
      storage: changing(cat, (response) =>
        withHeaders(response, {
          'x-content-length': String(Number(response.headers.get('x-content-length')) + 1),
        }),
      ),
    },
    'counts what it reads',
  ),
  interoperability(
    'storage.cat.length-of-dag',
    'X-Content-Length counts the framing of several blocks',
    ['storage.cat.length-true'],
    {
      storage: changing(cat, (response) => {
        const length = Number(response.headers.get('x-content-length'))
        return withHeaders(response, { 'x-content-length': String(length > 262_144 ? length + 100 : length) })
      }),
    },
    'counts what it reads',
  ),
  corruption('storage.cat.mixed', 'parallel reads are mixed up', ['storage.cat.concurrent'], {
    storage: mixing(cat),
  }),
  interoperability(
    'storage.cat.one-at-a-time',
    'a read is refused while another runs',
    ['storage.cat.concurrent'],
    {
      storage: single,
    },
  ),
  interoperability(
    'storage.cat.dead-after-hang-up',
    'the node fails once a reader has hung up',
    ['storage.cat.abort'],
    { storage: afterHangUp(answering(to('*', id), () => failure())) },
  ),
  interoperability(
    'storage.cat.206-after-hang-up',
    'cat answers 206 once a reader has hung up',
    ['storage.cat.abort'],
    { storage: afterHangUp(restatus(cat, 206)) },
  ),
  corruption(
    'storage.cat.keeps-what-was-cut',
    'once a reader has hung up, cat gives others as much as that one got',
    ['storage.cat.abort'],
    { storage: afterHangUp(altering(cat, half)) },
    comparesLength,
  ),
  interoperability('storage.cat.slice-206', 'a slice is answered with 206', ['storage.cat.offset-length'], {
    storage: restatus(cat, 206, (request) => isSlice(request) && queryOf(request).get('length') !== '1'),
  }),
  corruption(
    'storage.cat.slice-one-more',
    'a slice has one byte more than was asked for',
    ['storage.cat.offset-length'],
    {
      storage: misasked(cat, (query) => {
        const length = Number(query.get('length'))
        if (length > 1) query.set('length', String(length + 1))
      }),
    },
  ),
  interoperability(
    'storage.cat.past-end',
    'a slice past the end is an error',
    ['storage.cat.offset-length'],
    {
      storage: answering(
        (request) => isCat(request) && Number(queryOf(request).get('offset')) >= 600_000,
        () => failure(500, 'EOF'),
      ),
    },
  ),
  corruption(
    'storage.cat.offset-alone',
    'an offset without a length is ignored',
    ['storage.cat.offset-length'],
    {
      storage: misasked(cat, (query) => {
        if (!query.has('length') && Number(query.get('offset')) > 0) query.delete('offset')
      }),
    },
  ),
  interoperability(
    'storage.cat.negative',
    'a negative offset is taken for 0',
    ['storage.cat.offset-length'],
    {
      storage: misasked(cat, (query) => {
        if (Number(query.get('offset')) < 0) query.set('offset', '0')
      }),
    },
  ),
  corruption(
    'storage.cat.path-otherwise',
    'content by its path comes without its first byte',
    ['storage.cat.cid-spelling'],
    {
      storage: altering(
        cat,
        (bytes) => bytes.slice(1),
        (request) => argOf(request).startsWith('/ipfs/'),
      ),
    },
    rehashes,
  ),
  corruption(
    'storage.cat.version-1-otherwise',
    'content by its CIDv1 is empty',
    ['storage.cat.cid-spelling'],
    {
      storage: altering(
        cat,
        () => '',
        (request) => argOf(request).startsWith('b'),
      ),
    },
    rehashes,
  ),
]
