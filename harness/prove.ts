import { type Alarms, bundleStagings, type FalseAlarm, findFalseAlarms, type Reach } from './false-alarms.ts'
import type { Fault, Variation } from './fault.ts'
import type { Requirement } from './requirement.ts'
import {
  type FaultStaging,
  faultStagings,
  forFaults,
  isRed,
  type JudgeOptions,
  judgeStagings,
  type Reaction,
  type Results,
  type Staging,
} from './staging.ts'

export interface ProofOptions extends JudgeOptions {
  readonly requirements: readonly Requirement[]
  readonly faults: readonly Fault[]
  readonly variations: readonly Variation[]
  readonly reach: Reach
}

/** Which requirement catches which fault, and what a suite that cannot be fooled must not have. */
export interface Proof {
  readonly reactions: readonly Reaction[]
  /** Faults that a requirement which they name did not catch. */
  readonly escaped: readonly Reaction[]
  /** Caught at the second try only: what breaks by the clock may come too late on a busy machine. */
  readonly late: readonly Reaction[]
  /** Requirements that no fault tries. */
  readonly untried: readonly string[]
  /** What turned red on targets without a fault. */
  readonly unclean: readonly Omit<Reaction, 'fault'>[]
  readonly falseAlarms: readonly FalseAlarm[]
  readonly clashes: Alarms['clashes']
}

/** Tries every fault against the requirements that it names, every variation within its reach, and the clean targets. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const { requirements, faults, variations, reach } = options
  const all = requirements.map(({ id }) => id)
  const clean: Staging = { id: 'clean', spec: forFaults, behaviours: [], requirements: all }
  const singles = faultStagings(faults)
  const bundles = bundleStagings(variations, requirements, reach)
  const results = await judgeStagings([clean, ...singles, ...bundles], options)

  const missed = singles.filter((single) => !isRed(reactionIn(results, single)))
  const again = missed.length > 0 ? await judgeStagings(missed, options) : []
  const lastSaid = new Map([...results, ...again])
  const reactions = singles.map((single) => reactionIn(lastSaid, single))
  const tried = new Set(faults.flatMap(({ breaks }) => breaks))
  const onClean = results.get(clean.id) ?? []
  return {
    reactions,
    escaped: reactions.filter((reaction) => !isRed(reaction)),
    late: missed.map((single) => reactionIn(lastSaid, single)).filter(isRed),
    untried: all.filter((id) => !tried.has(id)),
    unclean: onClean
      .filter((said) => isRed(said) || said.verdict === 'error')
      .map(({ requirement, verdict, reason }) => ({ requirement, verdict, reason })),
    ...(await findFalseAlarms(bundles, results, { clean: onClean, variations }, (halves) =>
      judgeStagings(halves, options),
    )),
  }
}

function reactionIn(results: Results, { id, fault, requirement }: FaultStaging): Reaction {
  const [found] = results.get(id) ?? []
  if (!found) throw new Error(`the fault ${fault} names ${requirement}, which is no requirement`)
  const { verdict, reason } = found
  return { fault, requirement, verdict, reason }
}
