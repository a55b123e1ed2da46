import type { Fault, Variation } from './fault.ts'
import type { Verdict } from './report.ts'
import type { Requirement } from './requirement.ts'
import {
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

/** Only a violated requirement blames a correct target. */
const blaming: ReadonlySet<Verdict> = new Set<Verdict>(['violated', 'error'])
/** Variations that are tried on the same targets as long as nothing turns red. */
const largestBundle = 12
/** What the newest release allows is correct. */
const forVariations = '1.1'

/** Tries every fault against the requirements that it names, every variation against all, and the clean targets. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const { requirements, faults, variations } = options
  const all = requirements.map(({ id }) => id)
  const clean: Staging = { id: 'clean', spec: forFaults, behaviours: [], requirements: all }
  const singles = faultStagings(faults)
  const shared = bundles(variations).map(
    (bundle): Staging => ({
      id: bundle.join(' + '),
      spec: forVariations,
      behaviours: bundle,
      requirements: all,
    }),
  )
  const results = await judgeStagings([clean, ...singles, ...shared], options)

  const reactions = singles.map(({ id, fault }): Reaction => {
    const [found] = results.get(id) ?? []
    if (!found) throw new Error(`the fault ${id} is no requirement`)
    return { fault, ...found }
  })
  const tried = new Set(faults.flatMap(({ breaks }) => breaks))
  return {
    reactions,
    escaped: reactions.filter((reaction) => !isRed(reaction)),
    untried: all.filter((id) => !tried.has(id)),
    unclean: (results.get(clean.id) ?? []).filter((said) => isRed(said) || said.verdict === 'error'),
    falseAlarms: await falseAlarms(shared, results, options),
  }
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
  const again = await judgeStagings(alone, options)
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
