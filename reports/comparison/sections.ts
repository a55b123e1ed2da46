import type { Changes, ComparedRequirement } from '../comparison.ts'

/** The parts of what changed, in the order in which a reader wants them, without those that are empty. */
export function changeSections(
  changes: Changes,
): readonly (readonly [title: string, rows: readonly ComparedRequirement[]])[] {
  const all = [
    ['Newly violated', changes.broken],
    ['Newly deviating', changes.worse],
    ['Holds now', changes.mended],
    ['No longer verified', changes.lost],
    ['Verified for the first time, and holds', changes.gained],
  ] as const
  return all.filter(([, rows]) => rows.length > 0)
}
