import type { SpecVersion } from './requirement.ts'
import type { TransportOptions } from './transport.ts'

/** Requirements that are judged on targets of their own, such as those with one fault. */
export interface Trial {
  readonly id: string
  /** The edition of OCI Distribution that it is judged by. */
  readonly spec: SpecVersion
  readonly requirements: readonly string[]
  /** The place of an assertion that its tests go without. */
  readonly omit?: string
}

/** What a worker is told of the trials of a run: plain data, since it crosses a thread. */
export interface TrialPlan {
  /** The name of the BroadcastChannel on which targets are asked for. */
  readonly channel: string
  readonly seed: number
  readonly transport: TransportOptions
  readonly trials: Readonly<Record<string, PlannedTrial>>
  /** By requirement, the trials that judge it. */
  readonly byRequirement: Readonly<Record<string, readonly string[]>>
}

export interface PlannedTrial {
  readonly spec: SpecVersion
  /** How many requirements it judges. */
  readonly size: number
  /** A name for the repositories of the trial, short since names of repositories have a limit. */
  readonly namespace: string
  readonly omit?: string
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
export function planTrials(
  trials: readonly Trial[],
  rest: Pick<TrialPlan, 'channel' | 'seed' | 'transport'>,
): TrialPlan {
  const byRequirement: Record<string, string[]> = {}
  for (const { id, requirements } of trials) {
    for (const requirement of requirements) {
      byRequirement[requirement] ??= []
      byRequirement[requirement].push(id)
    }
  }
  const planned = trials.map(({ id, spec, requirements, omit }, index): [string, PlannedTrial] => [
    id,
    { spec, size: requirements.length, namespace: `trial-${index}`, ...(omit !== undefined && { omit }) },
  ])
  return { ...rest, trials: Object.fromEntries(planned), byRequirement }
}
