import type { Verdict } from '../../harness/report.ts'
import type { Level } from '../../harness/requirement.ts'
import type { ComparedRun } from '../comparison.ts'

export interface CountRow {
  readonly level: Level
  readonly verdict: Verdict
  /** One for each run. */
  readonly counts: readonly number[]
}

const verdicts: readonly Verdict[] = ['holds', 'violated', 'deviates', 'not-verified', 'error']

/** How many requirements of each level have each verdict, a row for each pair that occurs in some run. */
export function countRows(runs: readonly ComparedRun[]): readonly CountRow[] {
  return (['MUST', 'SHOULD', 'MAY'] as const)
    .flatMap((level) =>
      verdicts.map((verdict) => ({
        level,
        verdict,
        counts: runs.map(({ report }) => report.summary.byLevel[level][verdict]),
      })),
    )
    .filter(({ counts }) => counts.some((count) => count > 0))
}
