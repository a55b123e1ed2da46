import type { Cheat } from './fault.ts'
import type { Requirement } from './requirement.ts'
import { type Judged, type JudgeOptions, judgeStagings, type Reaction } from './staging.ts'

/** What a run says of a cheat. */
export interface CheatTrial {
  readonly cheat: string
  /** How many MUSTs of a registry were judged. */
  readonly judged: number
  /** How many of them keep the run from being conformant: violated, or a prerequisite failed. None: the suite is fooled. */
  readonly convicting: number
  /** At most three of those, the violated ones first. */
  readonly convictedBy: readonly Omit<Reaction, 'fault'>[]
}

/**
 * Tries each cheat, and gives what convicts it. It is judged by what a registry MUST do, since a target that is not
 * conformant by a part of the requirements is not by all of them.
 */
export async function tryCheats(
  cheats: readonly Cheat[],
  requirements: readonly Requirement[],
  options: JudgeOptions,
): Promise<readonly CheatTrial[]> {
  const judging = requirements.filter(({ level, interface: on }) => level === 'MUST' && on === 'registry')
  const stagings = cheats.map(({ id }) => ({
    ...{ id, spec: '1.1' as const, behaviours: [id] },
    requirements: judging.map((requirement) => requirement.id),
  }))
  if (stagings.length === 0) return []
  const results = await judgeStagings(stagings, options)
  return cheats.map(({ id }) => trialOf(id, results.get(id) ?? []))
}

/** The cheats that a run would call conformant. */
export const fooledBy = (trials: readonly CheatTrial[]): readonly CheatTrial[] =>
  trials.filter(({ convicting }) => convicting === 0)

const shown = 3

/** What a run says of a cheat, from what each MUST said. */
export function trialOf(cheat: string, judged: readonly Judged[]): CheatTrial {
  const convicting = judged.filter(convicts).sort(byGravity)
  return {
    cheat,
    judged: judged.length,
    convicting: convicting.length,
    convictedBy: convicting
      .slice(0, shown)
      .map(({ requirement, verdict, reason }) => ({ requirement, verdict, reason })),
  }
}

/** What keeps a run from being conformant, of a MUST. */
const convicts = ({ verdict, cause }: Judged) => verdict === 'violated' || cause === 'prerequisite-failed'

/** By id at last, as requirements end in an order that no two runs share. */
const byGravity = (one: Judged, other: Judged) =>
  gravity(other) - gravity(one) || (one.requirement < other.requirement ? -1 : 1)

/** Among equals the rules of OCI tell more: a cheat that asks nobody who they are is convicted by those on tokens anyway. */
const gravity = ({ verdict, requirement }: Judged) =>
  2 * Number(verdict === 'violated') + Number(requirement.startsWith('oci.'))
