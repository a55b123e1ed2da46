import type { Exchange } from './exchange.ts'
import type { ThingKind } from './journal/thing.ts'
import type { Interface, Level, Source, SpecVersion } from './requirement.ts'

/** What a run says of one requirement. Only `error` is about Assay; the rest is about the target. */
export type Verdict = 'holds' | 'violated' | 'deviates' | 'not-verified' | 'error'

/** Why something was not verified. Only `prerequisite-failed` keeps a run from being conformant. */
export type NotVerifiedCause = 'not-configured' | 'capability-absent' | 'prerequisite-failed' | 'left-out'

export type Profile = 'oci' | 'service'

export type SummaryVerdict = 'conformant' | 'non-conformant' | 'not-verified'

/** Something that a target offers or lacks, and how it was found out. */
export interface Capability {
  readonly offered: boolean
  /** One sentence: "DELETE of a tag answered 405", "not in the target file". */
  readonly reason: string
  /** Where it was not offered: the target file does not name it, or the target does not have it. */
  readonly cause?: 'not-configured' | 'capability-absent'
}

export interface RequirementResult {
  readonly id: string
  readonly interface: Interface
  readonly level: Level
  readonly statement: string
  readonly source: Source
  readonly verdict: Verdict
  /** What was found, in one or a few sentences; for `holds` what was seen. */
  readonly reason: string
  readonly cause?: NotVerifiedCause
  /** What was asked for and what came, where the two can be set side by side. */
  readonly expected?: string
  readonly seen?: string
  readonly durationMs: number
  readonly exchanges: readonly Exchange[]
  /** A POSIX shell script that repeats the sequence; present where something was sent. */
  readonly reproduce?: string
  /** Named in the baseline: why it is known, and until when. */
  readonly baseline?: { readonly reason: string; readonly expires: string }
}

export type VerdictCounts = Readonly<Record<Verdict, number>>

export interface Summary {
  readonly verdict: SummaryVerdict
  /** Why the verdict is not `conformant`, in sentences. Empty when it is. */
  readonly reasons: readonly string[]
  readonly byVerdict: VerdictCounts
  readonly byLevel: Readonly<Record<Level, VerdictCounts>>
  readonly byInterface: Readonly<Partial<Record<Interface, Readonly<Record<Level, VerdictCounts>>>>>
}

/** What `assay prove` found out about the suites of this version, before it was released. */
export interface SuiteProof {
  /** ISO 8601. */
  readonly provedAt: string
  readonly faults: { readonly all: number; readonly caught: number }
  /** Harmless variations that were tried. */
  readonly variations: number
  /** Requirements that a harmless variation turned red. */
  readonly falseAlarms: number
}

/** Things of one kind that a run made and could not remove, for one reason. */
export interface Residue {
  readonly kind: ThingKind
  readonly count: number
  readonly reason: string
  /** Up to three repositories, or the node or platform. */
  readonly places: readonly string[]
}

/** How a run left its targets. */
export interface CleanupReport {
  /** How many things were removed. */
  readonly removed: number
  readonly residue: readonly Residue[]
  /** Not part of the run's `durationMs`. */
  readonly durationMs: number
}

/** A run, as `report.json` has it. Described by `reports/report.schema.json`. */
export interface Report {
  readonly schemaVersion: 1
  readonly tool: { readonly name: 'assay'; readonly version: string }
  /** How far the suites of this run can be trusted. */
  readonly proof?: SuiteProof
  /** ISO 8601: the first request. */
  readonly startedAt: string
  /** From the first request to the end of the last. */
  readonly durationMs: number
  readonly seed: number
  readonly profile: Profile
  readonly spec: SpecVersion
  /** The command line that repeats this run, without secrets. */
  readonly command: string
  /** The targets without their secrets. */
  readonly targets: Readonly<
    Partial<Record<'registry' | 'storage' | 'gateway' | 'graphql', { readonly url: string }>>
  >
  readonly namespace: string
  readonly capabilities: Readonly<Record<string, Capability>>
  readonly summary: Summary
  readonly requirements: readonly RequirementResult[]
  /** Absent where nothing was written, or all of the target goes away with the run. */
  readonly cleanup?: CleanupReport
}
