import type { Fault, Variation } from './fault.ts'
import { probe } from './probe/probe.ts'
import type { Verdict } from './report.ts'
import type { Requirement } from './requirement.ts'
import { rounds, type Trial } from './rounds.ts'
import type { RunContext } from './run-context.ts'
import { runSuites } from './run-suites.ts'
import type { Targets } from './target.ts'

/** Targets that behave in one way, until they are closed. */
export interface Stage {
  readonly targets: Targets
  close(): Promise<void>
}

export interface ProofOptions {
  readonly requirements: readonly Requirement[]
  readonly faults: readonly Fault[]
  readonly variations: readonly Variation[]
  /** Starts targets with these faults and variations, by id. */
  readonly open: (behaviours: readonly string[]) => Promise<Stage>
  readonly seed: number
  readonly concurrency: number
  readonly onProgress?: (done: number, all: number) => void
  readonly signal?: AbortSignal
}

/** What one requirement said under one fault. */
export interface Reaction {
  readonly fault: string
  readonly requirement: string
  readonly verdict: Verdict
  readonly reason: string
}

export interface FalseAlarm {
  readonly variation: string
  readonly requirement: string
  readonly reason: string
}

/** Which requirement catches which fault, and what a suite that cannot be fooled must not have. */
export interface Proof {
  readonly reactions: readonly Reaction[]
  /** Faults that a requirement which they name did not catch. */
  readonly escaped: readonly Reaction[]
  /** Requirements that a target can break and no fault tries. */
  readonly untried: readonly string[]
  /** What turned red on targets without a fault. */
  readonly unclean: readonly Omit<Reaction, 'fault'>[]
  readonly falseAlarms: readonly FalseAlarm[]
}

const red: ReadonlySet<Verdict> = new Set<Verdict>(['violated', 'deviates'])
const largestRound = 12
/** Variations that are tried in one run as long as nothing turns red. */
const largestBundle = 8

/** Tries every fault against the requirements that it names, every variation against all, and the clean targets. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const { requirements, faults, variations, onProgress = () => {} } = options
  const all = 1 + faults.length + variations.length
  const unclean = await alarmsUnder([], options)
  onProgress(1, all)
  const trials = faults.map((fault): Trial => ({ id: fault.id, requirements: fault.breaks }))
  const reactions: Reaction[] = []
  for (const round of rounds(trials, largestRound)) {
    reactions.push(...(await tryRound(round, options)))
    onProgress(1 + new Set(reactions.map(({ fault }) => fault)).size, all)
  }
  const falseAlarms: FalseAlarm[] = []
  for (const bundle of bundles(variations)) {
    falseAlarms.push(...(await alarms(bundle, options)))
    onProgress(1 + faults.length + variations.indexOf(bundle.at(-1) as Variation) + 1, all)
  }
  const tried = new Set(faults.flatMap(({ breaks }) => breaks))
  return {
    reactions,
    escaped: reactions.filter(({ verdict }) => !red.has(verdict)),
    untried: requirements.filter(({ id }) => !tried.has(id)).map(({ id }) => id),
    unclean,
    falseAlarms,
  }
}

async function tryRound(round: readonly Trial[], options: ProofOptions): Promise<readonly Reaction[]> {
  const stages = await Promise.all(
    round.map(async (trial) => ({ trial, stage: await options.open([trial.id]) })),
  )
  try {
    const contexts = await Promise.all(
      stages.map(async ({ trial, stage }) => ({ trial, context: await contextOf(stage, trial.id, options) })),
    )
    const cases = Object.fromEntries(
      contexts.flatMap(({ trial, context }) => trial.requirements.map((id) => [id, context])),
    )
    const [first] = contexts
    if (!first) return []
    // Requirements of the main branch have faults as well.
    // The main branch has every rule that a release has, and some more.
    const selection = { ...first.context.selection, spec: 'dev', only: Object.keys(cases) } as const
    const run = { ...first.context, selection }
    const { concurrency, signal } = options
    const { results, defects } = await runSuites(run, { concurrency, cases, ...(signal && { signal }) })
    if (defects[0]) throw new Error(defects[0])
    return round.flatMap(({ id: fault, requirements }) =>
      requirements.map((requirement): Reaction => {
        const result = results.find(({ id }) => id === requirement)
        if (!result) throw new Error(`the fault ${fault} names ${requirement}, which is no requirement`)
        return { fault, requirement, verdict: result.verdict, reason: result.reason }
      }),
    )
  } finally {
    await Promise.all(stages.map(({ stage }) => stage.close()))
  }
}

async function contextOf({ targets }: Stage, purpose: string, { seed }: ProofOptions): Promise<RunContext> {
  const transport = { timeoutMs: 30_000, connections: 8 }
  const namespace = `${targets.registry?.namespace ?? 'assay'}/${purpose.replace(/[^a-z0-9]+/g, '-')}`
  const { access, capabilities } = await probe({ targets, transport, namespace, readOnly: false })
  // The main branch has every rule that a release has, and some more.
  const selection = { profile: 'service', spec: 'dev', only: [], skip: [], level: 'MAY' } as const
  return { targets, selection, capabilities, access, transport, seed, namespace }
}

/** What turns red with these behaviours. */
async function alarmsUnder(
  behaviours: readonly string[],
  options: ProofOptions,
): Promise<readonly Omit<Reaction, 'fault'>[]> {
  const stage = await options.open(behaviours)
  try {
    const run = await contextOf(stage, behaviours[0] ?? 'clean', options)
    const { concurrency, signal } = options
    const { results, defects } = await runSuites(run, { concurrency, ...(signal && { signal }) })
    if (defects[0]) throw new Error(defects[0])
    return results
      .filter(({ verdict }) => red.has(verdict) || verdict === 'error')
      .map(({ id, verdict, reason }) => ({ requirement: id, verdict, reason }))
  } finally {
    await stage.close()
  }
}

function bundles(variations: readonly Variation[]): readonly (readonly Variation[])[] {
  const count = Math.ceil(variations.length / largestBundle)
  return Array.from({ length: count }, (_, i) => variations.slice(i * largestBundle, (i + 1) * largestBundle))
}

/** Only a violated requirement blames a correct target; a bundle that turns red is taken apart to find which. */
async function alarms(bundle: readonly Variation[], options: ProofOptions): Promise<readonly FalseAlarm[]> {
  const found = (
    await alarmsUnder(
      bundle.map(({ id }) => id),
      options,
    )
  ).filter(({ verdict }) => verdict === 'violated' || verdict === 'error')
  const [only, ...others] = bundle
  if (found.length === 0 || !only) return []
  if (others.length === 0) {
    return found.map(({ requirement, reason }) => ({ variation: only.id, requirement, reason }))
  }
  const half = Math.ceil(bundle.length / 2)
  return [...(await alarms(bundle.slice(0, half), options)), ...(await alarms(bundle.slice(half), options))]
}
