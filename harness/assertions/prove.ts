import type { Fault } from '../fault.ts'
import {
  faultStagings,
  forFaults,
  isRed,
  type Judged,
  type Reaction,
  type Results,
  type Staging,
} from '../staging.ts'
import type { Assertion } from './plugin.ts'

export interface AssertionProofOptions {
  readonly requirements: readonly string[]
  readonly faults: readonly Fault[]
  /** Judges requirements whose assertions have switches, and tells what the assertions are. */
  readonly judge: (
    stagings: readonly Staging[],
    onAssertions: (found: readonly Assertion[]) => void,
  ) => Promise<Results>
}

/** Under the fault, the requirement turns red because of the assertion, and without it no longer. */
export interface Need {
  readonly fault: string
  readonly requirement: string
}

/** An assertion that could be deleted, and no fault would escape. */
export interface Survivor extends Assertion {
  /** The requirements whose tests come to it. */
  readonly reachedBy: readonly string[]
  /** The faults under which it fails; without it, the requirement is red all the same. */
  readonly standsIn: readonly (Need & { readonly without: readonly string[] })[]
}

export interface AssertionProof {
  readonly needed: readonly (Assertion & { readonly by: Need })[]
  readonly survivors: readonly Survivor[]
  /** Faults that nothing caught with all assertions in place. */
  readonly escaped: readonly Reaction[]
}

/** A fault under which an assertion failed. */
interface Candidate extends Need {
  readonly staging: Staging
}

/** How many faults are tried with each assertion at once: the first one mostly tells. */
const steps = [1, 4, 20]

/** Finds the assertions that no fault needs: each is left out where it fails, and the requirement should then miss the fault. */
export async function proveAssertions(options: AssertionProofOptions): Promise<AssertionProof> {
  const { requirements, faults } = options
  const pairs = faultStagings(faults).filter(({ requirement }) => requirements.includes(requirement))
  const clean: Staging = { id: 'clean', spec: forFaults, behaviours: [], requirements }
  const known = new Map<string, Assertion>()
  const results = await options.judge([clean, ...pairs], (found) => {
    for (const assertion of found) known.set(assertion.place, assertion)
  })

  const said = pairs.flatMap((pair) => (results.get(pair.id) ?? []).map((judged) => ({ pair, judged })))
  const candidates = new Map<string, Candidate[]>()
  for (const { pair, judged } of said.filter(({ judged }) => isRed(judged))) {
    for (const place of judged.assertions?.decisive ?? []) {
      candidates.set(place, [...(candidates.get(place) ?? []), { ...need(pair), staging: pair }])
    }
  }
  const { needs, standIns } = await leaveOut(candidates, options)

  const reachedBy = reaching([...results.values()].flat())
  const inScope = ({ place, within }: Assertion) => reachedBy.has(place) || requirements.includes(within)
  const assertions = [...known.values()].filter(inScope).sort(byPlace)
  return {
    needed: assertions.flatMap((assertion) => {
      const by = needs.get(assertion.place)
      return by ? [{ ...assertion, by }] : []
    }),
    survivors: assertions
      .filter(({ place }) => !needs.has(place))
      .map((assertion) => ({
        ...assertion,
        reachedBy: [...(reachedBy.get(assertion.place) ?? [])].sort(),
        standsIn: standIns.get(assertion.place) ?? [],
      })),
    escaped: said.flatMap(({ pair, judged }) => {
      const { verdict, reason } = judged
      return isRed(judged) ? [] : [{ ...need(pair), verdict, reason }]
    }),
  }
}

/** Judges the candidates of each assertion without it, until one shows that it is needed. */
async function leaveOut(
  candidates: ReadonlyMap<string, readonly Candidate[]>,
  { judge }: AssertionProofOptions,
) {
  const needs = new Map<string, Need>()
  const standIns = new Map<string, Survivor['standsIn'][number][]>()
  let from = 0
  for (const step of steps) {
    const tries = [...candidates]
      .filter(([place]) => !needs.has(place))
      .flatMap(([place, faults]) =>
        faults.slice(from, from + step).map((candidate) => ({ place, candidate })),
      )
    from += step
    if (tries.length === 0) continue
    const stagings = tries.map(({ place, candidate: { staging } }): Staging => {
      return { ...staging, id: `${staging.id} ${place}`, omit: place }
    })
    const results = await judge(stagings, () => {})
    for (const [i, { place, candidate }] of tries.entries()) {
      const [judged] = results.get(stagings[i]?.id ?? '') ?? []
      if (!judged) continue
      if (!isRed(judged)) needs.set(place, need(candidate))
      const without = judged.assertions?.decisive ?? []
      standIns.set(place, [...(standIns.get(place) ?? []), { ...need(candidate), without }])
    }
  }
  return { needs, standIns }
}

const need = ({ fault, requirement }: Need): Need => ({ fault, requirement })

function reaching(results: readonly Judged[]): ReadonlyMap<string, ReadonlySet<string>> {
  const reached = new Map<string, Set<string>>()
  for (const { requirement, assertions } of results) {
    for (const place of assertions?.reached ?? []) {
      reached.set(place, (reached.get(place) ?? new Set()).add(requirement))
    }
  }
  return reached
}

function byPlace(a: Assertion, b: Assertion): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || (a.place < b.place ? -1 : 1)
}
