import type { Clock } from '../clock.ts'
import type { Handler, ServerContext } from '../handler.ts'
import { refusal } from './access.ts'
import { addressOf } from './address.ts'
import { readClockRequest } from './clock-request.ts'
import { ControlError } from './control-error.ts'
import type { Faults } from './faults.ts'
import { type Journal, WaitTimeout } from './journal.ts'
import { readOccasion } from './occasion.ts'
import { readRequestsQuery } from './requests-query.ts'

/** What the control surface steers: the whole stack, whichever port it is asked on. */
export interface SurfaceOptions {
  readonly clock: Clock
  readonly faults: Faults
  readonly journal: Journal
  /** Back to the state after start; returns how many requests were cut. */
  reset(): Promise<number>
  targets(): object
  readonly token?: string
}

type Answer = (request: Request, rest: string) => Promise<Response> | Response

/** Answers under `/_mock/`. */
export function createSurface(options: SurfaceOptions): Handler {
  const routes: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
    '': {
      GET: async (request) => {
        const wantsPage = request.headers.get('accept')?.includes('text/html') ?? false
        // Loaded when a person asks, which programs never do.
        if (wantsPage) return (await import('./page.ts')).page()
        const names = Object.keys(routes).filter(Boolean)
        return Response.json({ endpoints: names.map((name) => `/_mock/${name}`) })
      },
    },
    ready: { GET: () => Response.json({ ready: true }) },
    targets: { GET: () => Response.json(options.targets()) },
    requests: { GET: (request) => requests(request, options.journal) },
    reset: { POST: async () => Response.json({ cut: await options.reset() }) },
    clock: { GET: () => clockAnswer(options.clock), PUT: (request) => setClock(request, options.clock) },
    faults: faultRoutes(options.faults),
  }

  return async (request, context) => {
    try {
      return await route(request, context)
    } catch (error) {
      if (error instanceof ControlError) return errorAnswer(error)
      throw error
    }
  }

  async function route(request: Request, context: ServerContext): Promise<Response> {
    const reason = refusal(request, context, options.token)
    if (reason !== undefined) throw new ControlError('forbidden', reason)
    const [name = '', ...rest] = addressOf(request.url)
      .path.replace(/^\/_mock\/?/, '')
      .split('/')
    const methods = Object.hasOwn(routes, name) ? routes[name] : undefined
    if (!methods)
      throw new ControlError('not-found', `there is no /_mock/${name}; GET /_mock/ lists what there is`)
    const answer = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
    if (!answer) {
      throw new ControlError('method-not-allowed', `/_mock/${name} takes ${Object.keys(methods).join(', ')}`)
    }
    return answer(request, rest.join('/'))
  }
}

function errorAnswer({ code, message, status }: ControlError): Response {
  return Response.json({ error: { code, message } }, { status })
}

async function body(request: Request): Promise<unknown> {
  const text = await request.text()
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new ControlError('bad-json', 'the body must be JSON')
  }
}

async function requests(request: Request, journal: Journal): Promise<Response> {
  const { filter, count, waitMs } = readRequestsQuery(addressOf(request.url).query)
  if (count === undefined) return Response.json(journal.list(filter))
  try {
    const wait = { count, timeoutMs: waitMs, signal: request.signal }
    return Response.json(await journal.waitFor(filter, wait))
  } catch (error) {
    if (!(error instanceof WaitTimeout)) throw error
    return Response.json({ ...error.list, nearest: error.nearest }, { status: 408 })
  }
}

const clockAnswer = (clock: Clock) => Response.json({ now: new Date(clock.now()).toISOString() })

async function setClock(request: Request, clock: Clock): Promise<Response> {
  const wanted = readClockRequest(await body(request))
  if ('now' in wanted) await clock.set(wanted.now)
  else if ('advanceMs' in wanted) await clock.set(clock.now() + wanted.advanceMs)
  else clock.run()
  return clockAnswer(clock)
}

function faultRoutes(faults: Faults): Record<string, Answer> {
  const named = (id: string) => {
    if (id === '') throw new ControlError('not-found', 'name the fault: /_mock/faults/ID')
    try {
      return decodeURIComponent(id)
    } catch {
      throw new ControlError('bad-value', `"${id}" is not percent-encoded`)
    }
  }
  return {
    GET: async () => Response.json({ active: faults.active(), known: await faults.known() }),
    PUT: async (request, id) => Response.json(await faults.on(named(id), readOccasion(await body(request)))),
    DELETE: async (_, id) => {
      await faults.off(id === '' ? undefined : named(id))
      return new Response(null, { status: 204 })
    },
  }
}
