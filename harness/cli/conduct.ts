import { suiteProof } from '../../reports/proof/proof.ts'
import { reproduce } from '../../reports/reproduce.ts'
import { UnreachableError } from '../errors.ts'
import { probe } from '../probe/probe.ts'
import type { Capability, CleanupReport, Report, RequirementResult, Summary } from '../report.ts'
import type { RawResult } from '../reporter.ts'
import type { RunContext, Selection } from '../run-context.ts'
import { runSuites } from '../run-suites.ts'
import { sharedName } from '../selection.ts'
import { type Judging, summarise } from '../summary.ts'
import { symptoms } from '../symptoms.ts'
import type { Targets } from '../target.ts'
import { isLoopback, type TransportOptions } from '../transport.ts'
import { clearTheWay, openRunJournal, tidyUp } from './tidy-up.ts'
import { version } from './version.ts'

/** What a run is asked to do, with every default filled in. */
export interface RunPlan {
  readonly targets: Targets
  readonly selection: Selection
  readonly seed: number
  readonly namespace: string
  /** As the `RunContext` has it. */
  readonly elsewhere?: string
  readonly timeoutMs: number
  /** When the run is ended, whatever is left; by default after sixty times the patience with one request. */
  readonly limitMs?: number
  /** Requirements side by side; by default many on this machine and few elsewhere. */
  readonly concurrency?: number
  /** Judges in another order, made from this number. */
  readonly shuffle?: number
  readonly readOnly: boolean
  /** The targets end with the run: nothing has to be removed. */
  readonly disposable?: boolean
  readonly ca?: string
  readonly insecure?: boolean
  readonly judging: Judging
  readonly command: string
}

/** Told while a run goes on. */
export interface Listener {
  probed?(capabilities: Readonly<Record<string, Capability>>): void
  judged?(result: RawResult): void
  /** The last requirement is judged, and what was made is not removed yet. */
  judgedAll?(): void
  cleaned?(cleanup: CleanupReport): void
  /** Something that a user should know. */
  say?(line: string): void
}

export interface Conducted {
  readonly report: Report
  /** What went wrong in Assay itself; empty in a sound run. */
  readonly defects: readonly string[]
}

/** A target may be slow in all that it does: with 30 s for a request, a run ends within half an hour. */
const limitInTimeouts = 60

const localConcurrency = 24
const remoteConcurrency = 4

/**
 * Probes the targets, runs the suites, removes what they made, and puts the report together. Throws `UnreachableError`,
 * and `UsageError` where credentials are refused.
 */
export async function conduct(
  plan: RunPlan,
  listener: Listener = {},
  signal?: AbortSignal,
): Promise<Conducted> {
  const run = equipped(plan)
  const leavesNothing = plan.readOnly || plan.disposable
  const examined = leavesNothing ? await examine(run, listener, signal) : await visit(run, listener, signal)
  const { capabilities, results, defects, cleanup, ended } = examined
  const { targets, selection, seed, namespace } = plan
  const report: Report = {
    schemaVersion: 1,
    tool: { name: 'assay', version },
    // Nothing is said before a proof was recorded.
    ...(suiteProof.faults.all > 0 && { proof: suiteProof }),
    ...spanOf(results, examined.began),
    seed,
    profile: selection.profile,
    spec: selection.spec,
    command: plan.command,
    targets: addressesOf(targets),
    namespace,
    capabilities,
    summary: explained(summarise(results, plan.judging), [...ended, ...symptoms(results)]),
    requirements: results,
    ...(cleanup && { cleanup }),
  }
  return { report, defects }
}

/** When a run is over although not everything was judged: its time is up, or the user has enough. */
function endOf({ limitMs, timeoutMs }: RunPlan, signal: AbortSignal | undefined) {
  const ms = limitMs ?? timeoutMs * limitInTimeouts
  const limit = AbortSignal.timeout(ms)
  const sentence = `the targets were so slow that the run was ended after ${ms / 1000} s`
  return {
    at: Date.now() + ms,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    /** Throws where the end came before the first requirement. */
    check() {
      signal?.throwIfAborted()
      if (limit.aborted) throw new UnreachableError(`${sentence}, before the first requirement`)
    },
    reasons: () => (limit.aborted ? [sentence] : []),
  }
}

/** What lies behind the counts comes first. */
const explained = (summary: Summary, why: readonly string[]): Summary =>
  summary.reasons.length === 0 ? summary : { ...summary, reasons: [...why, ...summary.reasons] }

interface Run extends RunPlan {
  readonly transport: TransportOptions
  readonly concurrency: number
}

function equipped(plan: RunPlan): Run {
  const concurrency = plan.concurrency ?? defaultConcurrency(plan.targets)
  const transport: TransportOptions = {
    timeoutMs: plan.timeoutMs,
    connections: concurrency,
    ...(plan.ca !== undefined && { ca: plan.ca }),
    ...(plan.insecure && { insecure: true }),
  }
  return { ...plan, transport, concurrency }
}

/** What is known of the targets once they were looked at. */
type Known = Pick<RunContext, 'access' | 'capabilities'> & { readonly began: number }

interface Examined extends Known {
  readonly results: readonly RequirementResult[]
  readonly defects: readonly string[]
  /** Why the run was over before all was judged, in a sentence. */
  readonly ended: readonly string[]
  readonly cleanup?: CleanupReport
}

/** Examines targets that stay, and leaves them as they were. */
async function visit(run: Run, listener: Listener, signal?: AbortSignal): Promise<Examined> {
  const cleared = await clearTheWay(run)
  if (cleared > 0) listener.say?.(`removed ${cleared} things that a killed run with this seed had left`)
  const journal = openRunJournal(run)
  const examined = await examine(run, listener, signal, journal.file).catch(async (error) => {
    await tidyUp(journal, run).catch(() => undefined)
    throw error
  })
  const interrupted = signal?.aborted ?? false
  const cleanup = await tidyUp(journal, run, { access: examined.access, interrupted })
  listener.cleaned?.(cleanup)
  return { ...examined, cleanup }
}

async function examine(
  run: Run,
  listener: Listener,
  signal?: AbortSignal,
  journal?: string,
): Promise<Examined> {
  const { targets, selection, seed, namespace, readOnly, transport, concurrency, shuffle, elsewhere } = run
  const end = endOf(run, signal)
  const noted = journal === undefined ? {} : { journal }
  let known: Known = { began: Date.now(), access: { scheme: 'open' }, capabilities: {} }
  const look = async (): Promise<RunContext> => {
    const began = Date.now()
    const repository = `${namespace}/${sharedName('probe', selection)}`
    const options = { targets, transport, namespace, readOnly, repository, signal: end.signal, ...noted }
    const asked = probe({ ...options, mustLogIn: !run.disposable })
    const found = await asked.finally(end.check)
    const { access, capabilities } = found
    known = { began, access, capabilities }
    listener.probed?.(capabilities)
    if (found.occupied) listener.say?.(occupiedNote(run))
    const context = { targets, selection, capabilities, access, transport, seed, namespace, endsAt: end.at }
    const beside = elsewhere === undefined ? {} : { elsewhere }
    return { ...context, ...beside, ...noted, ...(readOnly && { readOnly }) }
  }
  const results: RawResult[] = []
  const { defects } = await runSuites({
    ...{ look, concurrency, transport, start: { selection, targets: addressesOf(targets) } },
    ...(shuffle !== undefined && { shuffle }),
    onResult: (result) => {
      results.push(result)
      listener.judged?.(result)
    },
    ...(signal && { signal }),
  })
  listener.judgedAll?.()
  const scripted = results.map((result) => withScript(result, known.access, targets))
  return { ...known, results: scripted, defects, ended: end.reasons() }
}

const occupiedNote = ({ namespace, seed }: Run) =>
  `${namespace} holds content already: a run with the seed ${seed} was here, or is. What it left may change what is ` +
  'seen, and nothing there will be removed. Another --seed or --namespace avoids both.'

function defaultConcurrency({ registry, storage, gateway, graphql }: Targets): number {
  const urls = [registry, storage, gateway, graphql].flatMap((target) => (target ? [target.url] : []))
  return urls.every(isLoopback) ? localConcurrency : remoteConcurrency
}

function withScript(
  result: RawResult,
  access: RunContext['access'],
  { registry }: Targets,
): RequirementResult {
  if (result.exchanges.length === 0) return result
  const accounts = Object.entries(registry?.accounts ?? {})
  const usernames = Object.fromEntries(accounts.map(([name, { username }]) => [name, username]))
  const realm = access.realm !== undefined && registry ? new URL(access.realm, registry.url).href : undefined
  const context = { ...access, ...(realm !== undefined && { realm }), usernames }
  return { ...result, reproduce: reproduce(result.exchanges, context) }
}

/** From the first request to the end of the last. */
function spanOf(results: readonly RawResult[], began: number): Pick<Report, 'startedAt' | 'durationMs'> {
  const exchanges = results.flatMap((result) => result.exchanges)
  const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt))
  const ends = exchanges.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs)
  const first = starts.reduce((a, b) => Math.min(a, b), began)
  const last = ends.reduce((a, b) => Math.max(a, b), first)
  return { startedAt: new Date(first).toISOString(), durationMs: Math.round(last - first) }
}

function addressesOf({ registry, storage, gateway, graphql }: Targets): Report['targets'] {
  const named = { registry, storage, gateway, graphql }
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, target]) => (target ? [[name, { url: target.url }]] : [])),
  )
}
