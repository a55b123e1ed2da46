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
import { createTrialEntry } from './trial-entry.ts'
import { inEachTrial } from './trial-tests.ts'

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

const trials = inject('trials')
const entry = trials && createTrialEntry(trials)

/** The targets of a run, or those of the trial that a test belongs to. */
async function contextOf(trial: string | undefined): Promise<RunContext> {
  return trial !== undefined && entry ? entry.enter(trial) : inject('run')
}

async function leave(trial: string, { namespace }: RunContext): Promise<void> {
  if (!entry?.leave(trial)) return
  const session = sessions.get(namespace)
  sessions.delete(namespace)
  await session?.transport.close()
}

const judged = base
  .extend('run', async ({ task }, { onCleanup }) => {
    const { trial } = task.meta
    const run = await contextOf(trial)
    if (trial !== undefined) onCleanup(() => leave(trial, run))
    return run
  })
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
    // Nobody reads the exchanges of a trial, and there are many.
    if (task.meta.trial === undefined) task.meta.exchanges = record
    return createHttpClient({ transport, redactor, record, signal, observer })
  })

/**
 * `test` of Vitest with what every requirement uses: `run` (the targets and what they offer), `session`, and `http`,
 * whose exchanges go into the report. A requirement that the run leaves out, or whose needs the target does not
 * offer, is skipped before any other fixture is made. Where a run has trials, a requirement is judged once in each of
 * its own.
 */
export const test = trials ? inEachTrial(judged, trials) : judged
