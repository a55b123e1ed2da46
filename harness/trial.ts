import type { SpecVersion } from './requirement.ts'

/** Requirements that are judged on targets of their own, such as those with one fault. */
export interface Trial {
  readonly id: string
  /** The edition of OCI Distribution that it is judged by. */
  readonly spec: SpecVersion
  readonly requirements: readonly string[]
}

/** What a worker is told of the trials of a run: plain data, since it crosses a thread. */
export interface TrialPlan {
  /** The name of the BroadcastChannel on which targets are asked for. */
  readonly channel: string
  /** How many requirements each trial judges. */
  readonly sizes: Readonly<Record<string, number>>
  /** By requirement, the trials that judge it. */
  readonly byRequirement: Readonly<Record<string, readonly string[]>>
}

declare module 'vitest' {
  interface ProvidedContext {
    trials: TrialPlan | undefined
  }
  interface TaskMeta {
    /** The trial that a test belongs to; none in a run on one target. */
    trial?: string
  }
}

/** Says which trials judge each requirement. */
export function planTrials(channel: string, trials: readonly Trial[]): TrialPlan {
  const byRequirement: Record<string, string[]> = {}
  for (const { id, requirements } of trials) {
    for (const requirement of requirements) {
      byRequirement[requirement] ??= []
      byRequirement[requirement].push(id)
    }
  }
  const sizes = Object.fromEntries(trials.map(({ id, requirements }) => [id, requirements.length]))
  return { channel, sizes, byRequirement }
}
