import type { Report, RequirementResult, Verdict } from '../harness/report.ts'
import type { Level } from '../harness/requirement.ts'
import { moment } from './words.ts'

/** Runs side by side: what they say differently, and what changed where they are of one target. */
export interface Comparison {
  readonly runs: readonly ComparedRun[]
  /** Requirements on which the runs do not agree, findings first. */
  readonly rows: readonly ComparedRequirement[]
  /** From the first run to the last, where all are of the same targets. */
  readonly changes?: Changes
  /** Why verdicts may differ without a difference of the targets. */
  readonly caveats: readonly string[]
}

export interface ComparedRun {
  /** The target, or the time where the runs are of one target. */
  readonly name: string
  readonly report: Report
}

export interface ComparedRequirement {
  readonly id: string
  readonly level: Level
  readonly statement: string
  /** One for each run; `undefined` where a run left it out or does not know it. */
  readonly verdicts: readonly (Verdict | undefined)[]
}

export interface Changes {
  /** MUSTs that are violated now and were not: what fails a comparison. */
  readonly broken: readonly ComparedRequirement[]
  /** SHOULDs and MAYs that deviate now and did not, and what Assay fails on now. */
  readonly worse: readonly ComparedRequirement[]
  readonly mended: readonly ComparedRequirement[]
  /** What is verified no more. */
  readonly lost: readonly ComparedRequirement[]
  /** What is verified for the first time, and holds. */
  readonly gained: readonly ComparedRequirement[]
}

/** Compares two or more runs, in the order given. */
export function compare(reports: readonly Report[]): Comparison {
  const isOne = new Set(reports.map(addressOf)).size === 1
  const all = requirementsOf(reports)
  const rows = all.filter(({ verdicts }) => new Set(verdicts).size > 1)
  return {
    runs: named(reports, isOne ? ({ startedAt }) => moment(startedAt) : addressOf),
    rows: [...rows].sort((a, b) => weight(b) - weight(a) || (a.id < b.id ? -1 : 1)),
    ...(isOne && { changes: changesIn(rows) }),
    caveats: caveatsOf(reports),
  }
}

const addressOf = ({ targets }: Report) =>
  Object.values(targets)
    .map(({ url }) => url)
    .join(', ')

function named(reports: readonly Report[], nameOf: (report: Report) => string): readonly ComparedRun[] {
  return reports.map((report, index) => {
    const name = nameOf(report)
    const before = reports.slice(0, index).filter((other) => nameOf(other) === name).length
    return { name: before > 0 ? `${name} (${before + 1})` : name, report }
  })
}

function requirementsOf(reports: readonly Report[]): readonly ComparedRequirement[] {
  const columns = reports.map(
    ({ requirements }) =>
      new Map(requirements.filter(({ cause }) => cause !== 'left-out').map((result) => [result.id, result])),
  )
  const known = new Map<string, RequirementResult>()
  for (const column of columns) for (const [id, result] of column) known.set(id, result)
  return [...known.values()].map(({ id, level, statement }) => ({
    id,
    level,
    statement,
    verdicts: columns.map((column) => column.get(id)?.verdict),
  }))
}

const gravity: Readonly<Record<Verdict, number>> = {
  violated: 8,
  error: 4,
  deviates: 2,
  holds: 0,
  'not-verified': 0,
}

const weight = ({ verdicts }: ComparedRequirement) =>
  Math.max(...verdicts.map((verdict) => (verdict ? gravity[verdict] : 0)))

function changesIn(rows: readonly ComparedRequirement[]): Changes {
  const became = (wanted: (before: Verdict | undefined, after: Verdict | undefined) => boolean) =>
    rows.filter(({ verdicts }) => wanted(verdicts[0], verdicts.at(-1)))
  const isVerified = (verdict: Verdict | undefined) => verdict !== undefined && verdict !== 'not-verified'
  const isBad = (verdict: Verdict | undefined) => verdict !== undefined && gravity[verdict] > 0
  return {
    broken: became((before, after) => after === 'violated' && before !== 'violated'),
    worse: became((before, after) => isBad(after) && after !== 'violated' && !isBad(before)),
    mended: became((before, after) => isBad(before) && after === 'holds'),
    lost: became((before, after) => isVerified(before) && !isVerified(after)),
    gained: became((before, after) => !isVerified(before) && after === 'holds'),
  }
}

function caveatsOf(reports: readonly Report[]): readonly string[] {
  const differing = (what: string, of: (report: Report) => string) => {
    const values = [...new Set(reports.map(of))]
    return values.length > 1 ? [`the runs differ in ${what}: ${values.join(', ')}`] : []
  }
  return [
    ...differing('the profile', ({ profile }) => profile),
    ...differing('the edition of OCI Distribution', ({ spec }) => spec),
    ...differing('the version of Assay', ({ tool }) => tool.version),
  ]
}
