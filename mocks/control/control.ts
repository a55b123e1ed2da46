import type { Clock } from '../clock.ts'
import type { Handler } from '../handler.ts'
import { addressOf } from './address.ts'
import type { Service } from './fault.ts'
import { createFaults, type Faults, type FaultTable } from './faults.ts'
import { createJournal, type Journal } from './journal.ts'
import { createSurface } from './surface.ts'
import { createTraffic, type Traffic } from './traffic.ts'

/** The control of a stack: what stands between its ports and its services. */
export interface Control {
  readonly faults: Faults
  readonly journal: Journal
  readonly traffic: Traffic
  /** The service as its clients meet it: written down in the journal, behind the faults that are on. */
  wrap(service: Service, real: Handler): Handler
  /** A port: the control surface under `/_mock/`, and everything else for `wrapped`. */
  port(wrapped: Handler): Handler
}

export interface ControlOptions {
  readonly clock: Clock
  readonly faults: FaultTable
  readonly token?: string
  reset(): Promise<number>
  targets(): object
}

const controlPath = /^\/_mock(?:\/|$)/

/** Looks closely only at what may be meant: this is asked for every request. */
const isControl = (url: string) => url.includes('/_mock') && controlPath.test(addressOf(url).path)

export function createControl({ faults: table, ...options }: ControlOptions): Control {
  const faults = createFaults(table)
  const journal = createJournal(options.clock)
  const traffic = createTraffic()
  const surface = createSurface({ ...options, faults, journal })

  return {
    faults,
    journal,
    traffic,
    wrap(service, real) {
      const faulty = traffic.call(faults.wrap(service, traffic.work(real)))
      return async (request, context) => {
        const received = journal.receive(service, request)
        context.res?.once('close', () => journal.settle(received, 'cut', null))
        try {
          const named =
            service === 'graphql' ? await graphqlNamer(request) : { request, operation: undefined }
          if (named.operation !== undefined) received.name(named.operation)
          const response = await faulty(named.request, context)
          journal.settle(received, 'answered', response.status)
          return response
        } catch (error) {
          journal.settle(received, 'cut', null)
          throw error
        }
      }
    },
    port(wrapped) {
      const open = traffic.door(wrapped)
      return async (request, context) => {
        const handler = isControl(request.url) ? surface : open
        try {
          return await handler(request, context)
        } catch {
          // What a handler throws would otherwise reach the client as a stack trace. It throws for its own mistakes,
          // and where the Host header or the path make no URL: RFC 9112, section 3.2.
          return URL.canParse(request.url)
            ? plain('500: internal error', 500)
            : plain('400: malformed URL', 400)
        }
      }
    },
  }
}

const plain = (text: string, status: number) =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })

/** Loaded at the first use: a stack without GraphQL does without the parser. */
async function graphqlNamer(request: Request) {
  const { nameGraphqlRequest } = await import('./graphql-operation.ts')
  return nameGraphqlRequest(request)
}
