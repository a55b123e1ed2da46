import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Seams, Service } from '../../mocks/control/fault.ts'
import type { Handler, ServerContext } from '../../mocks/handler.ts'
import type { Stores } from '../../mocks/registry/stores.ts'
import type { Fault } from '../fault.ts'
import { type Audience, createAudience } from '../minimality/audience.ts'
import { type Call, type CallShadow, callShadowOf, listening, type Parts } from '../minimality/calls.ts'
import { type Copied, copyOf, type Shadow, shadowOf, type WireSeam } from '../minimality/shadow.ts'

/** What goes on at targets without a fault, seen with the eyes of every fault. */
export interface Watch {
  /** To be switched on like a fault; changes nothing. */
  readonly seams: Seams
  /** The faults that would have changed something by now. */
  touching(): Promise<ReadonlySet<string>>
}

const services: readonly Service[] = ['registry', 'storage', 'gateway', 'graphql']

export function createWatch(faults: readonly Fault<Seams>[], readsLog: boolean): Watch {
  const touched = new Set(faults.filter(({ seams }) => seams.log && readsLog).map(({ id }) => id))
  const audiences: Audience<never>[] = []
  function audienceOf<T>(shadows: Map<string, (seen: T) => Promise<boolean>>): Audience<T> {
    const audience = createAudience(shadows, touched)
    audiences.push(audience)
    return audience
  }

  const watching =
    (service: Service) =>
    (next: Handler): Handler => {
      const { see, giveUp } = audienceOf<Copied>(wireShadows(faults, service))
      return async (request, context) => {
        try {
          const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
          const { url, method } = request
          const headers = [...request.headers] as [string, string][]
          const response = body
            ? await next(new Request(url, { method, headers, body }), afterReading(context, body))
            : await next(request, context)
          see(copyOf({ request, body, response, connection: connectionOf(context) }))
          return response
        } catch (error) {
          giveUp()
          throw error
        }
      }
    }

  return {
    seams: {
      ...Object.fromEntries(services.map((service) => [service, watching(service)])),
      stores(next) {
        const parts = next as unknown as Parts
        const { see } = audienceOf<Call>(storeShadows(faults, parts))
        return listening(parts, see) as unknown as Stores
      },
    },
    async touching() {
      await Promise.all(audiences.map((audience) => audience.done()))
      return touched
    },
  }
}

function wireShadows(faults: readonly Fault<Seams>[], service: Service): Map<string, Shadow> {
  return new Map(
    faults.flatMap(({ id, seams }) => {
      const seam = seams[service]
      return seam ? [[id, shadowOf(seam as unknown as WireSeam)] as const] : []
    }),
  )
}

function storeShadows(faults: readonly Fault<Seams>[], parts: Parts): Map<string, CallShadow> {
  return new Map(
    faults.flatMap(({ id, seams: { stores } }) =>
      stores ? [[id, callShadowOf(parts, stores as unknown as (parts: Parts) => Parts)] as const] : [],
    ),
  )
}

/** What a handler may look at, without what it could do to it. */
function connectionOf({ req }: ServerContext): object | undefined {
  if (!req) return undefined
  const { url, method, headers, rawHeaders, httpVersion, complete } = req
  const { remoteAddress, remotePort } = req.socket
  return { url, method, headers, rawHeaders, httpVersion, complete, socket: { remoteAddress, remotePort } }
}

/** The same connection, whose body was read already. */
function afterReading({ req, ...rest }: ServerContext, body: Uint8Array): ServerContext {
  if (!req) return rest
  const { url, method, headers, httpVersion, socket } = req
  const again = Object.assign(Readable.from([body]), {
    url,
    method,
    headers,
    httpVersion,
    socket,
    complete: true,
  })
  return { ...rest, req: again as unknown as IncomingMessage }
}
