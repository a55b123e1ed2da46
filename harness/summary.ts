import type { RequirementResult, Summary, SummaryVerdict, Verdict, VerdictCounts } from './report.ts'
import type { Level } from './requirement.ts'

/** What decides a run beyond the MUSTs. */
export interface Judging {
  /** A deviation from a SHOULD counts. */
  readonly strict?: boolean
  readonly maxNotVerified?: number
}

type Judged = Pick<RequirementResult, 'level' | 'interface' | 'verdict' | 'cause' | 'baseline'>

const verdicts: readonly Verdict[] = ['holds', 'violated', 'deviates', 'not-verified', 'error']

function count(results: readonly Judged[]): VerdictCounts {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

function byLevel(results: readonly Judged[]): Readonly<Record<Level, VerdictCounts>> {
  const at = (level: Level) => count(results.filter((result) => result.level === level))
  return { MUST: at('MUST'), SHOULD: at('SHOULD'), MAY: at('MAY') }
}

/** Counts, and the verdict of the whole run with the reasons that keep it from being conformant. A baseline excuses nothing here. */
export function summarise(results: readonly Judged[], judging: Judging = {}): Summary {
  const interfaces = [...new Set(results.map((result) => result.interface))]
  const reasons = objections(results, judging)
  return {
    verdict: verdictOf(results, reasons),
    reasons,
    byVerdict: count(results),
    byLevel: byLevel(results),
    byInterface: Object.fromEntries(
      interfaces.map((on) => [on, byLevel(results.filter((result) => result.interface === on))]),
    ),
  }
}

function verdictOf(results: readonly Judged[], reasons: readonly string[]): SummaryVerdict {
  if (reasons.length === 0) return 'conformant'
  return results.some(isVerified) ? 'non-conformant' : 'not-verified'
}

const isVerified = ({ verdict }: Judged) =>
  verdict === 'holds' || verdict === 'violated' || verdict === 'deviates'

/** What keeps a run from exit 0: the reasons of the verdict, without what the baseline excuses. */
export function unexcused(results: readonly Judged[], judging: Judging = {}): readonly string[] {
  return objections(
    results.map((result) => (result.baseline ? { ...result, verdict: 'holds' } : result)),
    judging,
  )
}

function objections(results: readonly Judged[], { strict, maxNotVerified }: Judging): readonly string[] {
  const number = (holds: (result: Judged) => boolean) => results.filter(holds).length
  const violated = number(({ verdict }) => verdict === 'violated')
  const blocked = number(
    ({ verdict, level, cause }) =>
      verdict === 'not-verified' && level === 'MUST' && cause === 'prerequisite-failed',
  )
  const deviating = number(({ verdict, level }) => verdict === 'deviates' && level === 'SHOULD')
  const errors = number(({ verdict }) => verdict === 'error')
  const open = number(({ verdict, cause }) => verdict === 'not-verified' && cause !== 'left-out')
  const musts = results.filter((result) => result.level === 'MUST' && isVerified(result)).length
  const list: string[] = []
  if (violated > 0) list.push(`${violated} of ${musts} MUST ${violated === 1 ? 'is' : 'are'} violated`)
  if (blocked > 0) list.push(`${blocked} MUST could not be verified because a step before failed`)
  if (strict && deviating > 0) list.push(`${deviating} SHOULD deviate, and --strict counts them`)
  if (errors > 0) list.push(`${errors} could not be judged because Assay failed`)
  if (maxNotVerified !== undefined && open > maxNotVerified) {
    list.push(`${open} were not verified, more than --max-not-verified ${maxNotVerified}`)
  }
  if (!results.some(isVerified)) list.push('nothing at all was verified')
  return list
}
