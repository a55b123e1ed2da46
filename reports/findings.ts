import type { Exchange } from '../harness/exchange.ts'
import type { NotVerifiedCause, Report, RequirementResult } from '../harness/report.ts'

/** What a reader has to look at, most serious first. Each requirement is in one list at most. */
export interface Findings {
  readonly errors: readonly RequirementResult[]
  readonly violated: readonly RequirementResult[]
  readonly deviates: readonly RequirementResult[]
  /** Violated or deviating, but named in a baseline entry that has not expired. */
  readonly known: readonly RequirementResult[]
  /** Named in the baseline, and holding now: the entry should go. */
  readonly mended: readonly RequirementResult[]
}

/** Sorts the results of a run by what a reader has to do about them. */
export function findings({ requirements, startedAt }: Report): Findings {
  const known = requirements.filter((each) => isKnown(each, startedAt))
  const open = requirements.filter((each) => !known.includes(each))
  return {
    errors: open.filter(({ verdict }) => verdict === 'error'),
    violated: open.filter(({ verdict }) => verdict === 'violated'),
    deviates: [
      ...open.filter(({ verdict, level }) => verdict === 'deviates' && level === 'SHOULD'),
      ...open.filter(({ verdict, level }) => verdict === 'deviates' && level !== 'SHOULD'),
    ],
    known,
    mended: requirements.filter(({ verdict, baseline }) => verdict === 'holds' && baseline),
  }
}

/** Whether the baseline excuses this result: it failed, and its entry had not expired on the day of the run. */
export function isKnown({ verdict, baseline }: RequirementResult, startedAt: string): boolean {
  if (!baseline || (verdict !== 'violated' && verdict !== 'deviates')) return false
  return baseline.expires >= startedAt.slice(0, 10)
}

/** Results that were not verified for one and the same reason. */
export interface NotVerified {
  readonly cause: NotVerifiedCause
  readonly reason: string
  readonly results: readonly RequirementResult[]
}

const causes: readonly NotVerifiedCause[] = [
  'prerequisite-failed',
  'not-configured',
  'capability-absent',
  'left-out',
]

/** What was not verified, by cause (what matters for the verdict first) and then by reason, the largest group first. */
export function notVerified({ requirements }: Report): readonly NotVerified[] {
  const groups = new Map<string, NotVerified & { results: RequirementResult[] }>()
  for (const result of requirements) {
    if (result.verdict !== 'not-verified') continue
    const { cause = 'left-out', reason } = result
    const key = `${cause} ${reason}`
    const group = groups.get(key) ?? { cause, reason, results: [] }
    group.results.push(result)
    groups.set(key, group)
  }
  return [...groups.values()].sort(
    (a, b) => causes.indexOf(a.cause) - causes.indexOf(b.cause) || b.results.length - a.results.length,
  )
}

/** How a cause is called in a sentence. */
export const causeWords: Readonly<Record<NotVerifiedCause, string>> = {
  'prerequisite-failed': 'a prerequisite failed',
  'not-configured': 'not configured',
  'capability-absent': 'the target does not offer it',
  'left-out': 'left out of this run',
}

/** The exchange that a finding rests on: the last one that shows what was seen, else the last; `undefined` without any. */
export function decisive({ exchanges, seen }: RequirementResult): Exchange | undefined {
  const shows = ({ response, failure }: Exchange) =>
    seen !== undefined &&
    ((response !== undefined && new RegExp(`\\b${response.status}\\b`).test(seen)) ||
      (failure !== undefined && seen.includes(failure)))
  return exchanges.findLast(shows) ?? exchanges.at(-1)
}

/** The reason of a result, unless it only says again what was expected and seen. */
export function remark({ reason, expected, seen }: RequirementResult): string {
  return expected !== undefined && seen !== undefined && reason === `expected ${expected}, seen ${seen}`
    ? ''
    : reason
}
