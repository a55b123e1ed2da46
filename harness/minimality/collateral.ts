import type { Assertion } from '../assertions/plugin.ts'
import type { Fault } from '../fault.ts'
import {
  type FaultStaging,
  faultStagings,
  forFaults,
  isRed,
  type Judged,
  type Reaction,
  type Results,
  type Staging,
} from '../staging.ts'

export interface CollateralOptions {
  /** The faults that are tried. */
  readonly faults: readonly Fault[]
  /** All faults: what a requirement says under those that name it is what it is there to say. */
  readonly known: readonly Fault[]
  /** The requirements in whose exchanges a fault changes anything. */
  readonly touchedBy: (fault: string) => readonly string[]
  /** Judges requirements, side by side on the targets of their staging. */
  readonly judge: (stagings: readonly Staging[]) => Promise<Results>
  /** Judges requirements whose assertions have switches. */
  readonly trace: (
    stagings: readonly Staging[],
    onAssertions: (found: readonly Assertion[]) => void,
  ) => Promise<Results>
  /** Told what turned red under how many faults by now. */
  readonly onPart?: (tried: number, found: readonly Collateral[]) => Promise<void>
}

/** A requirement that turns red under a fault which does not name it, also alone on targets of its own. */
export interface Collateral extends Reaction {
  /**
   * Whether it fails where it fails under a fault that names it: then it says what it is there to say. A request without
   * an answer speaks for itself, whoever sends it.
   */
  readonly spoken: boolean
  /** The assertion of its own test that fails; those behind it where none of its own does. */
  readonly at: readonly Failure[]
}

export type Failure = Pick<Assertion, 'place' | 'text'>

/** Targets that are open at a time: the requirements of a part take turns on all of them. */
const together = 12

/** Finds what turns red under each fault beside what the fault names. */
export async function findCollateral(options: CollateralOptions): Promise<readonly Collateral[]> {
  const { faults, known, onPart } = options
  const found: Collateral[] = []
  const speech = createSpeech(known, options)
  for (let from = 0; from < faults.length; from += together) {
    const suspects = await suspectsUnder(faults.slice(from, from + together), options)
    const pairs = await traced(suspects, options)
    const red = pairs.filter(({ judged }) => isAmiss(judged))
    const spoken = await speech.of(red.map(({ pair }) => pair.requirement))
    for (const { pair, judged, at } of red) {
      const { fault, requirement } = pair
      const { verdict, reason } = judged
      const heard = at.every(({ place }) => place === noAnswer.place || spoken.get(requirement)?.has(place))
      found.push({ fault, requirement, verdict, reason, at, spoken: heard && verdict !== 'error' })
    }
    await onPart?.(Math.min(from + together, faults.length), found)
  }
  return found
}

/** An error is a defect of Assay that the fault brings to light. */
const isAmiss = (judged: Judged) => isRed(judged) || judged.verdict === 'error'

/** Where a requirement fails that no assertion fails in: it got no answer. */
const noAnswer: Failure = { place: 'the transport', text: 'the transport' }

function failuresOf({ requirement, assertions }: Judged, known: ReadonlyMap<string, Assertion>) {
  const failures = (assertions?.decisive ?? []).flatMap((place) => known.get(place) ?? [])
  const own = failures.filter(({ within }) => within === requirement)
  const at = own.length > 0 ? own : failures
  return at.length > 0 ? at.map(({ place, text }): Failure => ({ place, text })) : [noAnswer]
}

/** What turns red where all that a fault touches is judged side by side; the clock may be to blame for some. */
async function suspectsUnder(
  faults: readonly Fault[],
  { touchedBy, judge }: CollateralOptions,
): Promise<readonly FaultStaging[]> {
  const stagings = faults.flatMap(({ id, breaks }): Staging[] => {
    const requirements = touchedBy(id).filter((requirement) => !breaks.includes(requirement))
    return requirements.length > 0 ? [{ id, spec: forFaults, behaviours: [id], requirements }] : []
  })
  const results = stagings.length > 0 ? await judge(stagings) : new Map<string, readonly Judged[]>()
  return faults.flatMap((fault) => {
    const red = (results.get(fault.id) ?? []).filter(isAmiss)
    return faultStagings([{ ...fault, breaks: red.map(({ requirement }) => requirement) }])
  })
}

interface Traced {
  readonly pair: FaultStaging
  readonly judged: Judged
  readonly at: readonly Failure[]
}

async function traced(
  pairs: readonly FaultStaging[],
  { trace }: Pick<CollateralOptions, 'trace'>,
): Promise<readonly Traced[]> {
  if (pairs.length === 0) return []
  const known = new Map<string, Assertion>()
  const results = await trace(pairs, (found) => {
    for (const assertion of found) known.set(assertion.place, assertion)
  })
  return pairs.flatMap((pair) =>
    (results.get(pair.id) ?? []).map((judged) => ({ pair, judged, at: failuresOf(judged, known) })),
  )
}

/** Where each requirement fails under the faults that name it; each is tried once, when it is asked for. */
function createSpeech(known: readonly Fault[], options: Pick<CollateralOptions, 'trace'>) {
  const spoken = new Map<string, Set<string>>()
  return {
    async of(requirements: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
      const asked = new Set(requirements.filter((id) => !spoken.has(id)))
      for (const id of asked) spoken.set(id, new Set())
      const named = faultStagings(known).filter(({ requirement }) => asked.has(requirement))
      for (const { judged, at } of await traced(named, options)) {
        for (const { place } of isRed(judged) ? at : []) spoken.get(judged.requirement)?.add(place)
      }
      return spoken
    },
  }
}
