import { test as base, describe, inject, type RunnerTestCase } from 'vitest'
import { callForContext } from './context-call.ts'
import type { Exchange } from './exchange.ts'
import { createHttpClient } from './http.ts'
import { observeRun } from './journal/observe-run.ts'
import type { Observer } from './journal/observer.ts'
import { asPlanned } from './planned-tests.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import type { TokenCache } from './registry-client.ts'
import type { NotVerifiedCause } from './report.ts'
import { requirement } from './requirement.ts'
import type { RunContext } from './run-context.ts'
import { omission } from './selection.ts'
import { runBegun } from './standby.ts'
import { secretsOf } from './target.ts'
import { createTransport, type Transport } from './transport.ts'
import { createTrialEntry } from './trial-entry.ts'
import { inEachTrial } from './trial-tests.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** As JSON: to another thread, one string goes faster than ten thousand objects. */
    exchanges?: string
    omission?: { readonly cause: NotVerifiedCause; readonly reason: string }
  }
}

/** What all tests of a worker share: connections, tokens, and what must not be shown. */
export interface Session {
  readonly transport: Transport
  readonly redactor: Redactor
  readonly tokens: TokenCache
  /** When nothing more is asked, in a run that has an end. */
  readonly ended?: AbortSignal
  /** What several requirements build on, by name. */
  readonly prepared: Map<string, Promise<Prepared>>
  /** Keeps the run's journal. */
  readonly observer: Observer | undefined
}

/** What was made once, and the exchanges that made it. */
export interface Prepared {
  readonly value: unknown
  readonly exchanges: readonly Exchange[]
}

const sessions = new Map<string, Session>()

function openSession(run: RunContext): Session {
  const redactor = createRedactor()
  for (const [secret, label] of secretsOf(run.targets)) redactor.add(secret, label)
  const { endsAt } = run
  const ended = endsAt === undefined ? {} : { ended: AbortSignal.timeout(Math.max(0, endsAt - Date.now())) }
  const transport = createTransport(run.transport)
  const observer = observeRun(run, transport, redactor)
  return { transport, redactor, tokens: new Map(), prepared: new Map(), observer, ...ended }
}

let looked: Promise<RunContext> | undefined
/** What is known of the targets of a run without trials. */
const contextOfRun = () => (looked ??= callForContext(inject('context')))

await runBegun()
const trials = inject('trials')
const start = inject('plan')
const entry = trials && createTrialEntry(trials)

/** What a trial has opened is closed when its last requirement is through. */
async function leave(trial: string, run: RunContext | undefined): Promise<void> {
  if (!entry?.leave(trial) || !run) return
  const session = sessions.get(run.namespace)
  sessions.delete(run.namespace)
  await session?.transport.close()
}

/** What a requirement says of an answer may quote it, and an answer may repeat what it was sent. */
function redactResult({ result }: Readonly<RunnerTestCase>, redactor: Redactor): void {
  if (result && 'note' in result && typeof result.note === 'string') {
    Object.assign(result, { note: redactor.redact(result.note) })
  }
  for (const error of result?.errors ?? []) {
    for (const [name, value] of Object.entries(error)) {
      if (typeof value === 'string') Object.assign(error, { [name]: redactor.redact(value) })
    }
  }
}

const judged = base
  .extend('declared', ({ task }) => {
    if (!task.meta.requirement) throw new Error(`${task.name} is not declared with must(), should() or may()`)
    return requirement(task.name, task.meta.requirement)
  })
  .extend('run', async ({ task, declared }, { onCleanup }) => {
    const { trial } = task.meta
    if (trial === undefined || !entry) return contextOfRun()
    let run: RunContext | undefined
    onCleanup(() => leave(trial, run))
    run = await entry.enter(trial, declared)
    return run
  })
  .extend('applicable', { auto: true }, ({ run, declared, task, skip }) => {
    const left = omission(declared, run)
    if (!left) return
    task.meta.omission = left
    skip(left.reason)
  })
  .extend('session', ({ run }) => {
    const session = sessions.get(run.namespace) ?? openSession(run)
    sessions.set(run.namespace, session)
    return session
  })
  .extend('record', ({ task }, { onCleanup }): Exchange[] => {
    const record: Exchange[] = []
    onCleanup(() => {
      // Nobody reads the exchanges of a trial, and there are many.
      if (task.meta.trial === undefined) task.meta.exchanges = JSON.stringify(record)
    })
    return record
  })
  .extend(
    'http',
    ({ task, session: { transport, redactor, ended, observer }, record, signal: own }, { onCleanup }) => {
      onCleanup(() => redactResult(task, redactor))
      const signal = ended ? AbortSignal.any([own, ended]) : own
      return createHttpClient({ transport, redactor, record, signal, observer })
    },
  )

/**
 * `test` of Vitest with what every requirement uses: `run` (the targets and what they offer), `session`, and `http`,
 * whose exchanges go into the report. A requirement that the run leaves out, or whose needs the target does not
 * offer, is skipped before any other fixture is made. Where a run has trials, a requirement is judged once in each of
 * its own.
 */
export const test = trials ? inEachTrial(judged, trials) : start ? asPlanned(judged, start) : judged

/**
 * `describe` for requirements that measure what others would disturb: while one of them is judged, no other is. In a trial
 * there are no others.
 */
export function describeAlone(name: string, declare: () => void): void {
  const alone = trials ? describe : describe.sequential
  alone(name, declare)
}
