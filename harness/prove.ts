import type { Fault, Variation } from './fault.ts'
import type { Verdict } from './report.ts'
import type { Requirement } from './requirement.ts'
import { runTrials } from './run-suites.ts'
import type { Trial } from './trial.ts'
import type { Stage } from './trial-stages.ts'

export interface ProofOptions {
  readonly requirements: readonly Requirement[]
  readonly faults: readonly Fault[]
  readonly variations: readonly Variation[]
  /** Starts targets with these faults and variations, by id. */
  readonly open: (behaviours: readonly string[]) => Promise<Stage>
  readonly seed: number
  readonly concurrency: number
  /** Told how many judgements are made, of how many. */
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
  /** The id of a variation, or of several where only their combination turned something red. */
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
/** Only a violated requirement blames a correct target. */
const blaming: ReadonlySet<Verdict> = new Set<Verdict>(['violated', 'error'])
/** Variations that are tried on the same targets as long as nothing turns red. */
const largestBundle = 12
const transport = { timeoutMs: 30_000, connections: 8 } as const

/** A trial with the faults and variations that are on. */
interface Staging extends Trial {
  readonly behaviours: readonly string[]
}

/** The main branch has every rule that a release has, and some more, so faults are judged by it. */
const forFaults = 'dev'
/** What the newest release allows is correct. */
const forVariations = '1.1'

/** Tries every fault against the requirements that it names, every variation against all, and the clean targets. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const { requirements, faults, variations } = options
  const all = requirements.map(({ id }) => id)
  const clean: Staging = { id: 'clean', spec: forFaults, behaviours: [], requirements: all }
  const singles = faults.flatMap(({ id, breaks }) =>
    breaks.map(
      (requirement): Staging => ({
        id: `${id} ${requirement}`,
        spec: forFaults,
        behaviours: [id],
        requirements: [requirement],
      }),
    ),
  )
  const shared = bundles(variations).map(
    (bundle): Staging => ({
      id: bundle.join(' + '),
      spec: forVariations,
      behaviours: bundle,
      requirements: all,
    }),
  )
  const results = await judge([clean, ...singles, ...shared], options)

  const reactions = singles.map(({ id, behaviours: [fault = ''] }): Reaction => {
    const [found] = results.get(id) ?? []
    if (!found) throw new Error(`the fault ${id} is no requirement`)
    return { fault, ...found }
  })
  const tried = new Set(faults.flatMap(({ breaks }) => breaks))
  return {
    reactions,
    escaped: reactions.filter(({ verdict }) => !red.has(verdict)),
    untried: all.filter((id) => !tried.has(id)),
    unclean: (results.get(clean.id) ?? []).filter(({ verdict }) => red.has(verdict) || verdict === 'error'),
    falseAlarms: await falseAlarms(shared, results, options),
  }
}

type Judged = Omit<Reaction, 'fault'>
type Results = ReadonlyMap<string, readonly Judged[]>

/** Judges the requirements of all stagings, and gives what was said by the id of the staging. */
async function judge(stagings: readonly Staging[], options: ProofOptions): Promise<Results> {
  const { concurrency, seed, signal, onProgress = () => {} } = options
  const byId = new Map(stagings.map((staging) => [staging.id, staging]))
  const total = stagings.reduce((sum, { requirements }) => sum + requirements.length, 0)
  let done = 0
  const { results, defects } = await runTrials({
    trials: stagings,
    open: (id) => options.open(byId.get(id)?.behaviours ?? []),
    seed,
    transport,
    concurrency,
    onResult: () => onProgress(++done, total),
    ...(signal && { signal }),
  })
  if (defects[0]) throw new Error(defects[0])
  const judged = new Map<string, Judged[]>(stagings.map(({ id }) => [id, []]))
  for (const { trial = '', id, verdict, reason } of results) {
    judged.get(trial)?.push({ requirement: id, verdict, reason })
  }
  return judged
}

/** Tries the variations of a bundle that turned red one by one, against what turned red. */
async function falseAlarms(
  bundlesTried: readonly Staging[],
  results: Results,
  options: ProofOptions,
): Promise<readonly FalseAlarm[]> {
  const suspects = bundlesTried.flatMap(({ id, behaviours }) => {
    const alarms = (results.get(id) ?? []).filter(({ verdict }) => blaming.has(verdict))
    return alarms.length > 0 ? [{ id, behaviours, alarms }] : []
  })
  if (suspects.length === 0) return []
  const alone = suspects.flatMap(({ behaviours, alarms }) =>
    behaviours.map(
      (id): Staging => ({
        id,
        spec: forVariations,
        behaviours: [id],
        requirements: alarms.map(({ requirement }) => requirement),
      }),
    ),
  )
  const again = await judge(alone, options)
  return suspects.flatMap(({ id, behaviours, alarms }) =>
    alarms.flatMap(({ requirement, reason }) => {
      const guilty = behaviours.filter((variation) =>
        again
          .get(variation)
          ?.some((found) => found.requirement === requirement && blaming.has(found.verdict)),
      )
      // Red only together: the combination is told, as each of them is harmless.
      return (guilty.length > 0 ? guilty : [id]).map((variation) => ({ variation, requirement, reason }))
    }),
  )
}

/** Neighbours in the list touch the same service, so a bundle takes them from far apart. */
function bundles(variations: readonly Variation[]): readonly (readonly string[])[] {
  const count = Math.ceil(variations.length / largestBundle)
  return Array.from({ length: count }, (_, bundle) =>
    variations.filter((__, index) => index % count === bundle).map(({ id }) => id),
  )
}
