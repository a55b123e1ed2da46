import type { Cheat } from './fault.ts'
import type { Requirement } from './requirement.ts'
import { type Judged, type JudgeOptions, judgeStagings } from './staging.ts'

/**
 * The ids of the cheats that a run would call conformant. They are judged by what a registry MUST do, since a target
 * that is not conformant by a part of the requirements is not by all of them.
 */
export async function fooledBy(
  cheats: readonly Cheat[],
  requirements: readonly Requirement[],
  options: JudgeOptions,
): Promise<readonly string[]> {
  const judging = requirements.filter(({ level, interface: on }) => level === 'MUST' && on === 'registry')
  const stagings = cheats.map(({ id }) => ({
    ...{ id, spec: '1.1' as const, behaviours: [id] },
    requirements: judging.map((requirement) => requirement.id),
  }))
  if (stagings.length === 0) return []
  const results = await judgeStagings(stagings, options)
  return cheats.flatMap(({ id }) => ((results.get(id) ?? []).some(convicts) ? [] : [id]))
}

/** What keeps a run from being conformant, of a MUST. */
const convicts = ({ verdict, cause }: Judged) => verdict === 'violated' || cause === 'prerequisite-failed'
