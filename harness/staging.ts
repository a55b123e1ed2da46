import type { AssertionTrace } from './assertions/switch.ts'
import type { Fault } from './fault.ts'
import type { NotVerifiedCause, Verdict } from './report.ts'
import { runTrials, type TrialRunOptions } from './run-suites.ts'
import type { Trial } from './trial.ts'
import type { Stage } from './trial-stages.ts'

/** A trial with the faults and variations that are on. */
export interface Staging extends Trial {
  readonly behaviours: readonly string[]
}

/** What one requirement said under one fault. */
export interface Reaction {
  readonly fault: string
  readonly requirement: string
  readonly verdict: Verdict
  readonly reason: string
}

/** What a requirement said in a trial. */
export interface Judged extends Omit<Reaction, 'fault'> {
  readonly cause?: NotVerifiedCause
  readonly assertions?: AssertionTrace
}

/** By the id of the staging. */
export type Results = ReadonlyMap<string, readonly Judged[]>

export interface JudgeOptions
  extends Pick<TrialRunOptions, 'seed' | 'concurrency' | 'signal' | 'onAssertions'> {
  /** Starts targets with these faults and variations, by id. */
  readonly open: (behaviours: readonly string[]) => Promise<Stage>
  /** How long an answer may take; 30 s unless told. */
  readonly timeoutMs?: number
  /** Told how many judgements are made, of how many. */
  readonly onProgress?: (done: number, all: number) => void
}

const red: ReadonlySet<Verdict> = new Set<Verdict>(['violated', 'deviates'])
const transport = { timeoutMs: 30_000, connections: 8 } as const

/** Whether a fault is caught by what a requirement said. */
export const isRed = ({ verdict }: Pick<Reaction, 'verdict'>): boolean => red.has(verdict)

/** The main branch has every rule that a release has, and some more, so faults are judged by it. */
export const forFaults = 'dev'

/** A staging for each fault and requirement that the fault says it breaks. */
export const faultStagings = (faults: readonly Fault[]): readonly FaultStaging[] =>
  faults.flatMap(({ id, breaks }) =>
    breaks.map((requirement) => ({
      ...{ id: `${id} ${requirement}`, fault: id, requirement },
      spec: forFaults,
      behaviours: [id],
      requirements: [requirement],
    })),
  )

export interface FaultStaging extends Staging, Pick<Reaction, 'fault' | 'requirement'> {}

/** Judges the requirements of all stagings, each on targets of its own. */
export async function judgeStagings(stagings: readonly Staging[], options: JudgeOptions): Promise<Results> {
  const { open, timeoutMs = transport.timeoutMs, onProgress = () => {}, ...rest } = options
  const byId = new Map(stagings.map((staging) => [staging.id, staging]))
  const total = stagings.reduce((sum, { requirements }) => sum + requirements.length, 0)
  let done = 0
  const { results, defects } = await runTrials({
    ...rest,
    trials: stagings,
    open: (id) => open(byId.get(id)?.behaviours ?? []),
    transport: { ...transport, timeoutMs },
    onResult: () => onProgress(++done, total),
  })
  if (defects[0]) throw new Error(defects[0])
  const judged = new Map<string, Judged[]>(stagings.map(({ id }) => [id, []]))
  for (const { trial = '', id, verdict, reason, cause, assertions } of results) {
    const more = { ...(cause && { cause }), ...(assertions && { assertions }) }
    judged.get(trial)?.push({ requirement: id, verdict, reason, ...more })
  }
  return judged
}
