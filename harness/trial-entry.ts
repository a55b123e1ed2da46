import { BroadcastChannel } from 'node:worker_threads'
import { probe } from './probe/probe.ts'
import type { Requirement } from './requirement.ts'
import type { RunContext } from './run-context.ts'
import type { Targets } from './target.ts'
import type { TrialPlan } from './trial.ts'
import type { StageAnswer, StageRequest } from './trial-stages.ts'

/** How the tests of a worker come to the targets of their trials. */
export interface TrialEntry {
  /** What is known of the targets of a trial; the first requirement that comes has them opened and looked at. */
  enter(trial: string, requirement: Requirement): Promise<RunContext>
  /** Tells that a requirement is through. Returns whether it was the last of the trial, whose targets are then closed. */
  leave(trial: string): boolean
}

export function createTrialEntry(plan: TrialPlan): TrialEntry {
  const channel = new BroadcastChannel(plan.channel)
  const contexts = new Map<string, Promise<RunContext>>()
  const waiting = new Map<string, (answer: StageAnswer) => void>()
  const left = new Map<string, number>()

  const ask = (request: StageRequest) => channel.postMessage(request)
  channel.onmessage = ({ data }: { data: StageAnswer | StageRequest }) => {
    if (data.kind === 'opened' || data.kind === 'failed') waiting.get(data.trial)?.(data)
  }
  const open = (trial: string) =>
    new Promise<Targets>((resolve, reject) => {
      waiting.set(trial, (answer) =>
        answer.kind === 'opened' ? resolve(answer.targets) : reject(new Error(answer.reason)),
      )
      ask({ kind: 'open', trial })
    })

  return {
    enter(trial, requirement) {
      const context =
        contexts.get(trial) ?? open(trial).then((targets) => look(plan, trial, targets, requirement))
      contexts.set(trial, context)
      return context
    },
    leave(trial) {
      const remaining = (left.get(trial) ?? plan.trials[trial]?.size ?? 1) - 1
      left.set(trial, remaining)
      if (remaining > 0) return false
      contexts.delete(trial)
      waiting.delete(trial)
      ask({ kind: 'close', trial })
      return true
    },
  }
}

/** Looks at targets as a run does before its first requirement. */
async function look(
  { seed, transport, trials }: TrialPlan,
  trial: string,
  targets: Targets,
  requirement: Requirement,
): Promise<RunContext> {
  const planned = trials[trial]
  if (!planned) throw new Error(`there is no trial ${trial}`)
  const namespace = `${targets.registry?.namespace ?? 'assay'}/${planned.namespace}`
  const { access, capabilities } = await probe({
    ...{ targets, transport, namespace, readOnly: false },
    ...(planned.size === 1 && { requirements: [requirement] }),
  })
  const selection = { profile: 'service', spec: planned.spec, only: [], skip: [], level: 'MAY' } as const
  return { targets, selection, capabilities, access, transport, seed, namespace }
}
