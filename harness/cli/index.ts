import type { Report } from '../report.ts'
import type { Targets } from '../target.ts'
import { conduct } from './conduct.ts'
import { planRun } from './plan.ts'
import type { TestFlags } from './test-options.ts'

export type { Exchange } from '../exchange.ts'
export type { Capability, Report, RequirementResult, Summary, Verdict } from '../report.ts'
export type { Interface, Level, Source, SpecVersion } from '../requirement.ts'
export type { Targets } from '../target.ts'

/** What `assay test` takes as flags, as options of a call; every one may be left out. */
export type RunOptions = Partial<
  Pick<
    TestFlags,
    | 'profile'
    | 'spec'
    | 'only'
    | 'skip'
    | 'level'
    | 'shard'
    | 'seed'
    | 'namespace'
    | 'concurrency'
    | 'readOnly'
    | 'ca'
    | 'insecure'
    | 'strict'
    | 'maxNotVerified'
  >
> & {
  /** How long a request may be silent, in seconds; 30 unless told. */
  readonly timeout?: number
  /** When the run is ended, in seconds, however slow the targets are; sixty times `timeout` unless told. */
  readonly limit?: number
  /** Judges in another order, made from this number: no verdict depends on the order. */
  readonly shuffle?: number
  /** Ends the run early. */
  readonly signal?: AbortSignal
}

/**
 * Runs the suites against the targets, removes what they made there, and resolves to the report; nothing is printed, and
 * only the journal of what has to be removed is written. Rejects with
 * `UsageError` when the options do not fit together, and with `UnreachableError` when a target does not answer.
 *
 * @example
 * const stack = await startStack()
 * const report = await run(stack.targets, { only: ['oci.pull.*'] })
 */
export async function run(targets: Targets, options: RunOptions = {}): Promise<Report> {
  const { signal, shuffle, limit, ...flags } = options
  const defaults = { spec: '1.1', only: [], skip: [], level: 'may', timeout: 30, report: [] } as const
  const planned = planRun(targets, { ...defaults, ...flags }, 'run()')
  const plan = {
    ...planned,
    ...(shuffle !== undefined && { shuffle }),
    ...(limit !== undefined && { limitMs: limit * 1000 }),
  }
  const { report, defects } = await conduct(plan, {}, signal)
  if (defects[0]) throw new Error(`Assay itself failed. ${defects[0]}`)
  return report
}
