import { test as base, inject } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createHttpClient } from './http.ts'
import { observeRun } from './journal/observe-run.ts'
import type { Observer } from './journal/observer.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import type { TokenCache } from './registry-client.ts'
import type { NotVerifiedCause } from './report.ts'
import { requirement } from './requirement.ts'
import type { RunContext } from './run-context.ts'
import { omission } from './selection.ts'
import { secretsOf } from './target.ts'
import { createTransport, type Transport } from './transport.ts'

declare module 'vitest' {
  interface TaskMeta {
    exchanges?: Exchange[]
    omission?: { readonly cause: NotVerifiedCause; readonly reason: string }
  }
}

/** What all tests of a worker share: connections, tokens, and what must not be shown. */
export interface Session {
  readonly transport: Transport
  readonly redactor: Redactor
  readonly tokens: TokenCache
  /** Keeps the run's journal. */
  readonly observer: Observer | undefined
}

const sessions = new Map<string, Session>()

function openSession(run: RunContext): Session {
  const redactor = createRedactor()
  for (const [secret, label] of secretsOf(run.targets)) redactor.add(secret, label)
  const transport = createTransport(run.transport)
  return { transport, redactor, tokens: new Map(), observer: observeRun(run, transport, redactor) }
}

/**
 * `test` of Vitest with what every requirement uses: `run` (the targets and what they offer), `session`, and `http`,
 * whose exchanges go into the report. A requirement that the run leaves out, or whose needs the target does not
 * offer, is skipped before any other fixture is made.
 */
export const test = base
  .extend('run', ({ task }) => inject('cases')[task.name] ?? inject('run'))
  .extend('applicable', { auto: true }, ({ run, task, skip }) => {
    if (!task.meta.requirement) throw new Error(`${task.name} is not declared with must(), should() or may()`)
    const left = omission(requirement(task.name, task.meta.requirement), run)
    if (!left) return
    task.meta.omission = left
    skip(left.reason)
  })
  .extend('session', ({ run }) => {
    const session = sessions.get(run.namespace) ?? openSession(run)
    sessions.set(run.namespace, session)
    return session
  })
  .extend('http', ({ session: { transport, redactor, observer }, task, signal }) => {
    const record: Exchange[] = []
    task.meta.exchanges = record
    return createHttpClient({ transport, redactor, record, signal, observer })
  })
