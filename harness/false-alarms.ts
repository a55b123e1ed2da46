import type { Variation } from './fault.ts'
import type { Verdict } from './report.ts'
import type { Interface, Requirement } from './requirement.ts'
import { type JudgeOptions, judgeStagings, type Results, type Staging } from './staging.ts'

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

/** Tries the variations of a bundle that turned red one by one, against what turned red. */
export async function findFalseAlarms(
  tried: readonly Staging[],
  results: Results,
  options: JudgeOptions,
): Promise<Alarms> {
  const doubtful = tried.flatMap(({ id, behaviours }) => {
    const alarms = (results.get(id) ?? []).filter(({ verdict }) => blaming.has(verdict))
    return alarms.length > 0 ? [{ behaviours, alarms }] : []
  })
  if (doubtful.length === 0) return { falseAlarms: [], clashes: [] }
  const alone = doubtful.flatMap(({ behaviours, alarms }) =>
    behaviours.map(
      (id): Staging => ({
        ...{ id, spec, behaviours: [id] },
        requirements: alarms.map(({ requirement }) => requirement),
      }),
    ),
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

const alarmsIn = (results: Results, variation: string): readonly FalseAlarm[] =>
  (results.get(variation) ?? [])
    .filter(({ verdict }) => blaming.has(verdict))
    .map(({ requirement, reason }) => ({ variation, requirement, reason }))
