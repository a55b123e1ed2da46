import type { Capabilities } from './capability.ts'
import type { RegistryAccess } from './registry-client.ts'
import type { Profile } from './report.ts'
import type { Level, SpecVersion } from './requirement.ts'
import type { Targets } from './target.ts'
import type { TransportOptions } from './transport.ts'

/** Which requirements a run judges; what it leaves out is told. */
export interface Selection {
  readonly profile: Profile
  readonly spec: SpecVersion
  /** Globs on ids. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The weakest level that is judged. */
  readonly level: Level
  readonly shard?: { readonly index: number; readonly count: number }
}

/** Everything that a worker needs to know; plain data, since it crosses a thread. */
export interface RunContext {
  readonly targets: Targets
  readonly selection: Selection
  readonly capabilities: Capabilities
  readonly access: RegistryAccess
  readonly transport: TransportOptions
  readonly seed: number
  /** Every repository of the run lies under it: the namespace of the target and a name made from the seed. */
  readonly namespace: string
  /** A repository outside the namespace, where nobody named one: its name does not tell that a suite made it up. */
  readonly elsewhere?: string
  /** When nothing more is asked of the targets, in milliseconds since 1970: what is left then was not verified. */
  readonly endsAt?: number
  /** The file in which the run notes what it creates. */
  readonly journal?: string
  /** Nothing is written; what would have to be is not verified. */
  readonly readOnly?: boolean
}

/** What a run is to judge, and which targets are named. */
export type RunStart = Pick<RunContext, 'selection'> & {
  readonly targets: { readonly [name in keyof Targets]?: unknown }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the targets of a run without trials, and what they offer, are asked for. */
    context: string
    /** What is known of such a run from its start. */
    plan: RunStart
  }
}
