import type { Variation } from './fault.ts'
import type { Verdict } from './report.ts'
import type { Interface, Requirement } from './requirement.ts'
import type { Judged, Results, Staging } from './staging.ts'

export interface FalseAlarm {
  readonly variation: string
  readonly requirement: string
  readonly reason: string
}

export interface Alarms {
  readonly falseAlarms: readonly FalseAlarm[]
  readonly clashes: readonly Clash[]
}

/** Red under several variations, and under neither half of them: some contradict each other. */
export interface Clash {
  readonly variations: readonly string[]
  readonly requirement: string
  readonly reason: string
}

/** The interfaces that a variation can make look different. */
export type Reach = (variation: Variation) => readonly Interface[]

/** Only a violated requirement blames a correct target. */
const blaming: ReadonlySet<Verdict> = new Set<Verdict>(['violated', 'error'])
/** Variations that are tried on the same targets as long as nothing turns red. */
const largestBundle = 12
/** What the newest release allows is correct. */
const spec = '1.1'

/**
 * Variations with the same reach share targets, and are tried against every requirement within it. What withholds
 * something would withhold it from all that share its targets, so it shares them with its like.
 */
export function bundleStagings(
  variations: readonly Variation[],
  requirements: readonly Requirement[],
  reach: Reach,
): readonly Staging[] {
  const groups = new Map<string, Variation[]>()
  for (const variation of variations) {
    const key = [variation.withholds ? 'withholding' : 'giving', ...reach(variation)].join(' ')
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

/** What is known of the targets without any variation, and of the variations. */
export interface Background {
  readonly clean: readonly Judged[]
  readonly variations: readonly Variation[]
}

/**
 * Takes apart the bundles under which something turned red, or was not verified although none of them says that it
 * withholds anything: half of a bundle at a time against what is in doubt, until nothing is or one variation is left.
 */
export async function findFalseAlarms(
  bundles: readonly Staging[],
  results: Results,
  { clean, variations }: Background,
  judge: (stagings: readonly Staging[]) => Promise<Results>,
): Promise<Alarms> {
  const withholding = new Set(variations.filter(({ withholds }) => withholds).map(({ id }) => id))
  const verified = new Set(
    clean.filter(({ verdict }) => verdict === 'holds').map(({ requirement }) => requirement),
  )
  const hides = ({ behaviours }: Staging, { verdict, cause, requirement }: Judged) =>
    verdict === 'not-verified' &&
    cause !== 'left-out' &&
    verified.has(requirement) &&
    !behaviours.some((id) => withholding.has(id))
  const doubtIn = (staging: Staging, judged: Results): Doubt => {
    const said = judged.get(staging.id) ?? []
    return { ...staging, red: said.filter(isAlarm), hidden: said.filter((one) => hides(staging, one)) }
  }

  const found: { falseAlarms: FalseAlarm[]; clashes: Clash[] } = { falseAlarms: [], clashes: [] }
  let open = bundles.map((bundle) => doubtIn(bundle, results)).filter(isDoubtful)
  while (open.length > 0) {
    const halves = open.map(halved)
    const judged = await judge(halves.flat())
    const next = halves.map((pair) => pair.map((half) => doubtIn(half, judged)))
    for (const [i, { behaviours, red }] of open.entries()) {
      const still = new Set(next[i]?.flatMap((half) => half.red.map(({ requirement }) => requirement)))
      for (const { requirement, reason } of red) {
        if (!still.has(requirement)) found.clashes.push({ variations: behaviours, requirement, reason })
      }
    }
    const doubts = next.flat()
    found.falseAlarms.push(...doubts.flatMap(alarmsOfOne))
    open = doubts.filter(({ behaviours }) => behaviours.length > 1).filter(isDoubtful)
  }
  return found
}

/** What is in doubt under a bundle, or a part of one. */
interface Doubt extends Staging {
  readonly red: readonly Judged[]
  readonly hidden: readonly Judged[]
}

const isAlarm = ({ verdict }: Judged) => blaming.has(verdict)
const isDoubtful = ({ red, hidden }: Doubt) => red.length + hidden.length > 0

/** A variation that is alone turns red again, or never was to blame. */
function halved({ behaviours, red, hidden }: Doubt): readonly Staging[] {
  const middle = Math.ceil(behaviours.length / 2)
  const requirements = [...red, ...hidden].map(({ requirement }) => requirement)
  return [behaviours.slice(0, middle), behaviours.slice(middle)]
    .filter((half) => half.length > 0)
    .map((half) => ({ id: half.join(' + '), spec, behaviours: half, requirements }))
}

const alarmsOfOne = ({ behaviours: [variation = '', ...others], red }: Doubt): readonly FalseAlarm[] =>
  others.length > 0 ? [] : red.map(({ requirement, reason }) => ({ variation, requirement, reason }))
