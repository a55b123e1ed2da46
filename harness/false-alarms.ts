import type { Variation } from './fault.ts'
import type { Verdict } from './report.ts'
import type { Interface, Requirement } from './requirement.ts'
import { type Judged, type JudgeOptions, judgeStagings, type Results, type Staging } from './staging.ts'

export interface FalseAlarm {
  readonly variation: string
  readonly requirement: string
  readonly reason: string
}

export interface Alarms {
  readonly falseAlarms: readonly FalseAlarm[]
  /** Red under a bundle, and quiet under each of its variations alone: some contradict each other. */
  readonly clashes: readonly { readonly variations: readonly string[]; readonly requirement: string }[]
}

/** The interfaces that a variation can make look different. */
export type Reach = (variation: Variation) => readonly Interface[]

/** Only a violated requirement blames a correct target. */
const blaming: ReadonlySet<Verdict> = new Set<Verdict>(['violated', 'error'])
/** Variations that are tried on the same targets as long as nothing turns red. */
const largestBundle = 12
/** What the newest release allows is correct. */
const spec = '1.1'

/** Variations with the same reach share targets, and are tried against every requirement within it. */
export function bundleStagings(
  variations: readonly Variation[],
  requirements: readonly Requirement[],
  reach: Reach,
): readonly Staging[] {
  const groups = new Map<string, Variation[]>()
  for (const variation of variations) {
    const key = reach(variation).join(' ')
    groups.set(key, [...(groups.get(key) ?? []), variation])
  }
  return [...groups].flatMap(([key, group]) => {
    const within = requirements.filter((requirement) => key.split(' ').includes(requirement.interface))
    return bundles(group).map(
      (behaviours): Staging => ({
        ...{ id: behaviours.join(' + '), spec, behaviours },
        requirements: within.map(({ id }) => id),
      }),
    )
  })
}

/** Neighbours in the list change the same part of a service, so a bundle takes them from far apart. */
function bundles(variations: readonly Variation[]): readonly (readonly string[])[] {
  const count = Math.ceil(variations.length / largestBundle)
  return Array.from({ length: count }, (_, bundle) =>
    variations.filter((__, index) => index % count === bundle).map(({ id }) => id),
  )
}

/**
 * Tries the variations of a bundle one by one, against what turned red, and against what holds on the clean targets
 * and was not verified: one variation may have withheld what another is to be judged by.
 */
export async function findFalseAlarms(
  tried: readonly Staging[],
  results: Results,
  clean: readonly Judged[],
  options: JudgeOptions,
): Promise<Alarms> {
  const held = new Set(
    clean.filter(({ verdict }) => verdict === 'holds').map(({ requirement }) => requirement),
  )
  const doubtful = tried.flatMap(({ id, behaviours }) => {
    const said = results.get(id) ?? []
    const alarms = said.filter(({ verdict }) => blaming.has(verdict))
    const withheld = said.filter((one) => isWithheld(one) && held.has(one.requirement))
    const requirements = [...alarms, ...withheld].map(({ requirement }) => requirement)
    return requirements.length > 0 ? [{ behaviours, alarms, requirements }] : []
  })
  if (doubtful.length === 0) return { falseAlarms: [], clashes: [] }
  const alone = doubtful.flatMap(({ behaviours, requirements }) =>
    behaviours.map((id): Staging => ({ id, spec, behaviours: [id], requirements })),
  )
  const again = await judgeStagings(alone, options)
  const judged = doubtful.map(({ behaviours, alarms }) => {
    const guilty = behaviours.flatMap((variation) => alarmsIn(again, variation))
    const explained = new Set(guilty.map(({ requirement }) => requirement))
    const unexplained = alarms.filter(({ requirement }) => !explained.has(requirement))
    return {
      guilty,
      clashes: unexplained.map(({ requirement }) => ({ variations: behaviours, requirement })),
    }
  })
  return {
    falseAlarms: judged.flatMap(({ guilty }) => guilty),
    clashes: judged.flatMap(({ clashes }) => clashes),
  }
}

const isWithheld = ({ verdict, cause }: Judged) => verdict === 'not-verified' && cause !== 'left-out'

const alarmsIn = (results: Results, variation: string): readonly FalseAlarm[] =>
  (results.get(variation) ?? [])
    .filter(({ verdict }) => blaming.has(verdict))
    .map(({ requirement, reason }) => ({ variation, requirement, reason }))
