import type { NotVerifiedCause, Verdict } from './report.ts'
import type { Level } from './requirement.ts'

/** How the test of a requirement ended. */
export type Ending =
  | { readonly state: 'passed' }
  | { readonly state: 'skipped'; readonly cause?: NotVerifiedCause; readonly note?: string }
  | { readonly state: 'failed'; readonly errors: readonly EndingError[] }

export interface EndingError {
  readonly name: string
  readonly message: string
  readonly expected?: string
  readonly seen?: string
}

export interface Judgement {
  readonly verdict: Verdict
  readonly reason: string
  readonly cause?: NotVerifiedCause
  readonly expected?: string
  readonly seen?: string
}

const timedOut = /^(Test|Hook) timed out/

/** Errors that say something about the target; any other is a defect of Assay. */
const aboutTheTarget = ({ name, message }: EndingError) =>
  name === 'Finding' || name === 'AssertionError' || name === 'TargetFailure' || timedOut.test(message)

/** What a run says of a requirement, from its level and how its test ended. */
export function judge(level: Level, ending: Ending): Judgement {
  if (ending.state === 'passed') return { verdict: 'holds', reason: 'as required' }
  if (ending.state === 'skipped') return judgeSkip(ending)
  const refused = ending.errors.find(({ name }) => name === 'WriteRefused')
  if (refused) return { verdict: 'not-verified', cause: 'not-configured', reason: refused.message }
  const defect = ending.errors.find((error) => !aboutTheTarget(error) && error.name !== 'PrerequisiteFailure')
  if (defect) return { verdict: 'error', reason: `${defect.name}: ${defect.message}` }
  const found = ending.errors.find(aboutTheTarget)
  if (found) return judgeFinding(level, found)
  const reason = ending.errors.map(({ message }) => message).join('; ')
  return { verdict: 'not-verified', cause: 'prerequisite-failed', reason }
}

function judgeSkip({ cause, note }: Extract<Ending, { state: 'skipped' }>): Judgement {
  if (note === undefined) return { verdict: 'error', reason: 'the test was skipped without a reason' }
  return { verdict: 'not-verified', cause: cause ?? 'capability-absent', reason: note }
}

function judgeFinding(level: Level, { message, expected, seen }: EndingError): Judgement {
  return {
    verdict: level === 'MUST' ? 'violated' : 'deviates',
    reason: message,
    ...(expected !== undefined && { expected }),
    ...(seen !== undefined && { seen }),
  }
}
