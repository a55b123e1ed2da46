import { BroadcastChannel } from 'node:worker_threads'
import type { RunContext } from './run-context.ts'
import type { TrialPlan } from './trial.ts'
import type { StageAnswer, StageRequest } from './trial-stages.ts'

/** How the tests of a worker come to the targets of their trials. */
export interface TrialEntry {
  /** The targets of a trial; the first requirement that comes has them opened. */
  enter(trial: string): Promise<RunContext>
  /** Tells that a requirement is through. Returns whether it was the last of the trial, whose targets are then closed. */
  leave(trial: string): boolean
}

export function createTrialEntry({ channel: name, sizes }: TrialPlan): TrialEntry {
  const channel = new BroadcastChannel(name)
  const contexts = new Map<string, Promise<RunContext>>()
  const waiting = new Map<string, (answer: StageAnswer) => void>()
  const left = new Map<string, number>()

  const ask = (request: StageRequest) => channel.postMessage(request)
  channel.onmessage = ({ data }: { data: StageAnswer | StageRequest }) => {
    if (data.kind === 'opened' || data.kind === 'failed') waiting.get(data.trial)?.(data)
  }

  return {
    enter(trial) {
      const known = contexts.get(trial)
      if (known) return known
      const context = new Promise<RunContext>((resolve, reject) => {
        waiting.set(trial, (answer) =>
          answer.kind === 'opened' ? resolve(answer.context) : reject(new Error(answer.reason)),
        )
      })
      contexts.set(trial, context)
      ask({ kind: 'open', trial })
      return context
    },
    leave(trial) {
      const remaining = (left.get(trial) ?? sizes[trial] ?? 1) - 1
      left.set(trial, remaining)
      if (remaining > 0) return false
      contexts.delete(trial)
      waiting.delete(trial)
      ask({ kind: 'close', trial })
      return true
    },
  }
}
