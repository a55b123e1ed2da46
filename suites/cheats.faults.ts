import type { Cheat } from '../harness/fault.ts'
import type { Answering } from '../harness/rewrite.ts'
import type { Seams } from '../mocks/control/fault.ts'
import { careless, isMadeUp, isNamed } from './cheats/careless.faults.ts'
import { type Connection, echo, echoOfHeaders } from './cheats/echo.faults.ts'

type Wire = Answering<Connection>

const onAll = (seam: (next: Wire) => Wire): Seams => ({
  registry: seam,
  storage: seam,
  gateway: seam,
  graphql: seam,
})

const constant = (status: number): Cheat<Seams> => ({
  id: `cheat.constant.${status}`,
  what: `answers everything with an empty ${status}`,
  seams: onAll(() => () => new Response(null, { status })),
})

/** Only what everybody looks at first is there; all else is "not supported". */
const incapable = (): Wire => (request) => {
  const { method, url } = request
  if (/\/v2\/$/.test(new URL(url).pathname)) return Response.json({})
  if (method === 'POST' || method === 'PUT') return new Response(null, { status: 202 })
  if (method === 'GET' || method === 'HEAD') return new Response(null, { status: 404 })
  return new Response(null, { status: 405 })
}

/** Every k-th answer is a failure, or has its last byte changed. */
const every = (k: number): Cheat<Seams> => {
  const breaking = (next: Wire): Wire => {
    let answers = 0
    return async (request, context) => {
      const answer = await next(request, context)
      answers += 1
      if (answers % k !== 0) return answer
      const body = new Uint8Array(await answer.arrayBuffer())
      const last = body.at(-1)
      if (last === undefined) return new Response(null, { status: 500 })
      body[body.length - 1] = last ^ 1
      return new Response(body, { status: answer.status, headers: answer.headers })
    }
  }
  return { id: `cheat.every.${k}`, what: `breaks every ${k}th answer`, seams: onAll(breaking) }
}

/** A target that takes so long for the first byte of each answer, and again for its last. */
export const slow = (ms: number): Cheat<Seams> => ({
  id: `cheat.slow.${ms}`,
  what: `takes ${ms} ms for each answer, and as long to send it byte by byte`,
  seams: onAll((next) => async (request, context) => {
    await pause(ms)
    // The body of a request whose client has gone would never come to an end.
    if (context.res?.closed) return new Response(null, { status: 503 })
    const answer = await next(request, context)
    if (!answer.body) return answer
    return new Response(dripping(new Uint8Array(await answer.arrayBuffer()), ms), answer)
  }),
})

const drops = 10

/** The body in some pieces that take so long together. */
function dripping(body: Uint8Array, ms: number): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.ceil(body.length / drops))
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      await pause(ms / drops)
      if (at < body.length) controller.enqueue(body.slice(at, at + size))
      at += size
      if (at >= body.length) controller.close()
    },
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export const cheats: readonly Cheat<Seams>[] = [
  ...[200, 202, 401, 404].map(constant),
  {
    id: 'cheat.echo.connection',
    what: 'gives back what was put on the same connection, and knows nothing on another',
    seams: { registry: echo },
  },
  {
    id: 'cheat.echo.headers',
    what: 'acknowledges everything, and answers each read with the digest that was asked for and no content',
    seams: { registry: echoOfHeaders },
  },
  {
    id: 'cheat.names',
    what: 'keeps manifests only in repositories whose names this suite made up',
    seams: { registry: careless(isMadeUp) },
  },
  {
    id: 'cheat.agent',
    what: 'keeps manifests only for clients that call themselves as this suite does, or nothing',
    seams: { registry: careless(isNamed) },
  },
  {
    id: 'cheat.incapable',
    what: 'acknowledges each push with 202, knows nothing, and says that the rest is not supported',
    seams: { registry: incapable },
  },
  ...[7, 50, 200].map(every),
]
