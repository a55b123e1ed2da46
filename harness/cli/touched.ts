import type { Seams } from '../../mocks/control/fault.ts'
import type { Fault } from '../fault.ts'
import type { Requirement } from '../requirement.ts'
import { forFaults, isRed, judgeStagings, type Staging } from '../staging.ts'
import { reach } from './reach.ts'
import { createStagePool } from './stage-pool.ts'
import { createWatch } from './watch.ts'

/**
 * By fault, the requirements in whose exchanges it changes anything: each is judged without a fault, on targets of its
 * own, while all faults within whose reach it is watch. What a fault leaves as it is holds under the fault as well.
 */
export async function findTouched(
  faults: readonly Fault<Seams>[],
  requirements: readonly Requirement[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const watches = requirements.flatMap((requirement) => {
    const within = faults.filter((fault) => reach(fault).includes(requirement.interface))
    if (within.length === 0) return []
    return [{ requirement, within, watch: createWatch(within, requirement.needs.includes('logs')) }]
  })
  const stages = createStagePool({
    faults: watches.map(({ requirement: { id }, watch: { seams } }) => ({ id, seams }) as Fault<Seams>),
    ...{ variations: [], cheats: [] },
  })
  const stagings = watches.map(
    ({ requirement: { id } }): Staging => ({ id, spec: forFaults, behaviours: [id], requirements: [id] }),
  )
  const results = await judgeStagings(stagings, { open: stages.open, seed: 1, concurrency: 4 }).finally(
    stages.end,
  )
  const touched = new Map(faults.map(({ id }): [string, string[]] => [id, []]))
  for (const { requirement, within, watch } of watches) {
    // What is amiss without a fault was disturbed by those who watch, and tells nothing of them.
    const judged = results.get(requirement.id)?.[0]
    const disturbed = !judged || isRed(judged) || judged.verdict === 'error'
    for (const id of disturbed ? within.map((fault) => fault.id) : await watch.touching())
      touched.get(id)?.push(requirement.id)
  }
  return touched
}
