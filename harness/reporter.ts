import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { AssertionTrace } from './assertions/switch.ts'
import type { Exchange } from './exchange.ts'
import type { RequirementResult } from './report.ts'
import { levelIn, requirement, type SpecVersion } from './requirement.ts'
import { type Ending, type EndingError, judge } from './verdict.ts'

/** A result before the scripts are made and the baseline is known. */
export type RawResult = Omit<RequirementResult, 'reproduce' | 'baseline'> & {
  /** The trial that it belongs to, in a run that has trials. */
  readonly trial?: string
  /** In a run whose assertions have switches. */
  readonly assertions?: AssertionTrace
}

export interface CollectedRun {
  readonly results: readonly RawResult[]
  /** What went wrong in Assay itself, outside any requirement. */
  readonly defects: readonly string[]
}

/** Turns what Vitest says of each test into what a run says of each requirement. */
export class RequirementReporter implements Reporter {
  /** By trial and id: a run that is cancelled tells some of its tests twice. */
  readonly #results = new Map<string, RawResult>()
  readonly #defects: string[] = []
  readonly #spec: (trial: string | undefined) => SpecVersion
  readonly #onResult: (result: RawResult) => void

  constructor(spec: (trial: string | undefined) => SpecVersion, onResult: (result: RawResult) => void) {
    this.#spec = spec
    this.#onResult = onResult
  }

  get collected(): CollectedRun {
    return { results: [...this.#results.values()], defects: this.#defects }
  }

  onTestCaseResult(test: TestCase): void {
    const declared = test.meta().requirement
    if (!declared) {
      this.#defects.push(`${test.fullName} is not declared with must(), should() or may()`)
      return
    }
    const { id, interface: on, statement, source } = requirement(test.name, declared)
    const { trial, assertions } = test.meta()
    const level = levelIn(this.#spec(trial), declared) ?? declared.level
    const exchanges: readonly Exchange[] = JSON.parse(test.meta().exchanges ?? '[]')
    const result: RawResult = {
      id,
      interface: on,
      level,
      statement,
      source,
      ...judge(level, endingOf(test)),
      durationMs: Math.round(test.diagnostic()?.duration ?? 0),
      exchanges,
      ...(trial !== undefined && { trial }),
      ...(assertions && { assertions }),
    }
    const key = `${trial ?? ''} ${id}`
    if (this.#results.has(key)) return
    this.#results.set(key, result)
    this.#onResult(result)
  }

  onTestModuleEnd(module: TestModule): void {
    for (const error of module.errors()) this.#defects.push(`${module.relativeModuleId}: ${error.message}`)
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
    for (const error of errors) this.#defects.push(error.message)
  }
}

function endingOf(test: TestCase): Ending {
  const result = test.result()
  if (result.state === 'passed') return { state: 'passed' }
  if (result.state === 'failed') return { state: 'failed', errors: result.errors.map(endingError) }
  const omission = test.meta().omission
  if (!omission && result.state !== 'skipped') {
    const note = 'the run was stopped before it came to this'
    return { state: 'skipped', cause: 'prerequisite-failed', note }
  }
  const note = omission?.reason ?? (result.state === 'skipped' ? result.note : undefined)
  return { state: 'skipped', ...(omission && { cause: omission.cause }), ...(note !== undefined && { note }) }
}

/** Errors cross a thread as plain objects, with the properties that `Finding` gives them. */
function endingError(error: {
  name?: string
  message: string
  expected?: unknown
  seen?: unknown
  actual?: unknown
}): EndingError {
  const seen = error.seen ?? error.actual
  return {
    name: error.name ?? 'Error',
    message: plain(error.message),
    ...(error.expected !== undefined && { expected: plain(String(error.expected)) }),
    ...(seen !== undefined && { seen: plain(String(seen)) }),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal are control characters
const plain = (text: string) => text.replace(/\u001b\[[0-9;]*m/g, '')
