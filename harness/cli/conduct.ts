import { suiteProof } from '../../reports/proof/proof.ts'
import { reproduce } from '../../reports/reproduce.ts'
import { UnreachableError } from '../errors.ts'
import { probe } from '../probe/probe.ts'
import type { Capability, Report, RequirementResult, Summary } from '../report.ts'
import type { RawResult } from '../reporter.ts'
import type { RunContext, Selection } from '../run-context.ts'
import { runSuites } from '../run-suites.ts'
import { type Judging, summarise } from '../summary.ts'
import { symptoms } from '../symptoms.ts'
import type { Targets } from '../target.ts'
import { isLoopback, type TransportOptions } from '../transport.ts'
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
  readonly readOnly: boolean
  readonly ca?: string
  readonly insecure?: boolean
  readonly judging: Judging
  readonly command: string
}

/** Told while a run goes on. */
export interface Listener {
  probed?(capabilities: Readonly<Record<string, Capability>>): void
  judged?(result: RawResult): void
}

export interface Conducted {
  readonly report: Report
  /** What went wrong in Assay itself; empty in a sound run. */
  readonly defects: readonly string[]
}

/** A target may be slow in all that it does: with 30 s for a request, a run ends within half an hour. */
const limitInTimeouts = 60

/** What is known of the targets once they were looked at. */
type Known = Pick<RunContext, 'access' | 'capabilities'> & { readonly began: number }

const localConcurrency = 8
const remoteConcurrency = 4

/** Probes the targets, runs the suites, and puts the report together. Throws `UnreachableError`. */
export async function conduct(
  plan: RunPlan,
  listener: Listener = {},
  signal?: AbortSignal,
): Promise<Conducted> {
  const { targets, selection, seed, namespace, readOnly } = plan
  const concurrency = plan.concurrency ?? defaultConcurrency(targets)
  const transport: TransportOptions = {
    timeoutMs: plan.timeoutMs,
    connections: concurrency,
    ...(plan.ca !== undefined && { ca: plan.ca }),
    ...(plan.insecure && { insecure: true }),
  }
  const { elsewhere } = plan
  const end = endOf(plan, signal)
  let known: Known = { began: Date.now(), access: { scheme: 'open' }, capabilities: {} }
  const look = async (): Promise<RunContext> => {
    const began = Date.now()
    const asked = probe({ targets, transport, namespace, readOnly, signal: end.signal })
    const { access, capabilities } = await asked.finally(end.check)
    known = { began, access, capabilities }
    listener.probed?.(capabilities)
    const named = { targets, seed, namespace, endsAt: end.at, ...(elsewhere !== undefined && { elsewhere }) }
    return { ...named, selection, capabilities, access, transport }
  }
  const results: RequirementResult[] = []
  const collected = await runSuites({
    ...{ look, concurrency, transport, start: { selection, targets: addressesOf(targets) } },
    // Scripts are written while the run goes on, and this thread has nothing else to do.
    onResult: (result) => {
      results.push(withScript(result, known.access, targets))
      listener.judged?.(result)
    },
    ...(signal && { signal }),
  })
  const { began, capabilities } = known
  const report: Report = {
    schemaVersion: 1,
    tool: { name: 'assay', version },
    proof: suiteProof,
    ...spanOf(results, began),
    seed,
    profile: selection.profile,
    spec: selection.spec,
    command: plan.command,
    targets: addressesOf(targets),
    namespace,
    capabilities,
    summary: explained(summarise(results, plan.judging), [...end.reasons(), ...symptoms(results)]),
    requirements: results,
  }
  return { report, defects: collected.defects }
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
