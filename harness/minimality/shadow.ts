import type { Answering } from '../rewrite.ts'
import { withinPatience } from './patience.ts'

/** The seam of a fault in front of a service on the wire. */
export type WireSeam = (next: Answering<Context>) => Answering<Context>
type Context = Readonly<Record<string, unknown>>

/** An exchange with a service as it is without a fault, to be looked at by many. */
export interface Copied {
  request(): Request
  response(): Response
  /** What may be known of the connection that the request came on. */
  readonly connection: object | undefined
  isEqual(seen: Request | Response): Promise<boolean>
}

/** Shows one fault an exchange; whether the fault would have changed it. */
export type Shadow = (exchange: Copied) => Promise<boolean>

/**
 * A fault at work on copies of what goes on at a service: it is shown the exchanges in their order, and changes one
 * unless it passes on the same request, once, and gives back the same response. What it makes of its copy comes to
 * nobody.
 */
export function shadowOf(seam: WireSeam): Shadow {
  let passed: Request[] = []
  let response: Response | undefined
  let connected = false
  const faulty = seam((request) => {
    passed.push(request)
    if (!response) throw new Error('asked without an exchange')
    return response
  })
  return async (exchange) => {
    const request = exchange.request()
    response = exchange.response()
    passed = []
    connected = false
    const context = {
      req: exchange.connection,
      // What looks at the connection of the answer may do anything to it.
      get res() {
        connected = true
        return undefined
      },
    }
    const given = await withinPatience(() => faulty(request, context))
    const [asked, ...more] = passed
    if (connected || !given || !asked || more.length > 0) return true
    return !(await isSame(asked, request, exchange)) || !(await isSame(given, response, exchange))
  }
}

const isSame = async (seen: Request | Response, real: Request | Response, exchange: Copied) =>
  seen === real || (await exchange.isEqual(seen))

/** Copies an exchange: the bodies are read once, and given anew to whoever comes after one that read them. */
export async function copyOf({ request, body, response, connection }: Original): Promise<Copied> {
  const { url, method } = request
  const headers = [...request.headers] as [string, string][]
  const answer = new Uint8Array(await response.clone().arrayBuffer())
  const head = headOf(response)
  const withBody = response.body === null ? null : answer
  return {
    connection,
    request: unread(() => new Request(url, { method, headers, body })),
    response: unread(() => new Response(withBody, { status: response.status, headers: response.headers })),
    async isEqual(seen) {
      const wanted = seen instanceof Request ? headOf(request) : head
      if (seen.bodyUsed || headOf(seen) !== wanted) return false
      const bytes = Buffer.from(await seen.arrayBuffer())
      return bytes.equals((seen instanceof Request ? body : withBody) ?? new Uint8Array())
    },
  }
}

function headOf(message: Request | Response): string {
  const line = 'status' in message ? [message.status] : [message.method, message.url]
  return JSON.stringify([...line, ...[...message.headers].sort()])
}

export type Body = Uint8Array<ArrayBuffer> | null

export interface Original {
  readonly request: Request
  readonly body: Body
  readonly response: Response
  readonly connection: object | undefined
}

function unread<T extends Request | Response>(make: () => T): () => T {
  let last: T | undefined
  return () => {
    if (!last || last.bodyUsed) last = make()
    return last
  }
}
