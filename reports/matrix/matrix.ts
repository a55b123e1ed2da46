import { createHash } from 'node:crypto'
import type { CheatTrial } from '../../harness/cheats.ts'
import type { Cheat, Fault, FaultKind, Variation } from '../../harness/fault.ts'
import type { Proof } from '../../harness/prove.ts'
import type { Verdict } from '../../harness/report.ts'
import type { Requirement } from '../../harness/requirement.ts'

/** What one requirement said under one fault that names it. */
export interface Catch {
  readonly requirement: string
  readonly verdict: Verdict
  readonly reason: string
}

export interface TriedFault extends Pick<Fault, 'id' | 'what' | 'kind'> {
  /** What a good client does when it meets this. */
  readonly client?: string
  /** Whether every requirement that it names turned red. */
  readonly caught: boolean
  readonly by: readonly Catch[]
}

export interface ProvenRequirement
  extends Pick<Requirement, 'id' | 'interface' | 'level' | 'statement' | 'source'> {
  /** Why no fault can try it. */
  readonly unbreakable?: string
}

export interface TriedVariation {
  readonly id: string
  readonly what: string
  readonly alarms: readonly Pick<Catch, 'requirement' | 'reason'>[]
}

export interface TriedCheat extends Pick<Cheat, 'id' | 'what'>, Pick<CheatTrial, 'judged' | 'convicting'> {
  /** At most three of those that convict it, the violated ones first. */
  readonly convictedBy: readonly Catch[]
}

export interface Tally {
  readonly all: number
  readonly caught: number
}

/** Which requirement catches which fault, as `assay prove` found out. Described by `matrix.schema.json`. */
export interface Matrix {
  readonly schemaVersion: 1
  readonly tool: { readonly name: 'assay'; readonly version: string }
  /** ISO 8601: the first trial. */
  readonly startedAt: string
  readonly durationMs: number
  readonly seed: number
  /** `sha256:` of the faults and the requirements that each names: another list has another one. */
  readonly faultsDigest: string
  /** Whether everything that there is was tried, and not only what was chosen. */
  readonly whole: boolean
  readonly summary: {
    /** Nothing escaped, nothing turned red without a fault, and no cheat would be called conformant. */
    readonly sound: boolean
    readonly faults: Tally
    readonly byKind: Readonly<Record<FaultKind, Tally>>
    /** Requirements that catch a fault, and those that none tries. */
    readonly catching: number
    readonly untried: number
    readonly variations: number
    readonly falseAlarms: number
    /** Targets that only look conformant, and how many of them would be called so. */
    readonly cheats: { readonly all: number; readonly fooled: number }
  }
  readonly requirements: readonly ProvenRequirement[]
  readonly faults: readonly TriedFault[]
  readonly variations: readonly TriedVariation[]
  readonly cheats: readonly TriedCheat[]
  /** What turned red on targets without a fault. */
  readonly unclean: readonly Catch[]
}

export interface MatrixSource {
  readonly proof: Proof
  readonly requirements: readonly Requirement[]
  readonly faults: readonly Fault[]
  readonly variations: readonly Variation[]
  readonly cheats: readonly Cheat[]
  readonly cheatTrials: readonly CheatTrial[]
  readonly unbreakable: readonly { readonly id: string; readonly reason: string }[]
  readonly version: string
  readonly startedAt: string
  readonly durationMs: number
  readonly seed: number
  readonly whole: boolean
}

/** Puts the matrix together from what was tried and what came of it. */
export function matrixOf(source: MatrixSource): Matrix {
  const { proof, version, startedAt, durationMs, seed, whole } = source
  const faults = triedFaults(source)
  const requirements = provenRequirements(source)
  const tried = new Set(faults.flatMap(({ by }) => by.map(({ requirement }) => requirement)))
  const { unclean, falseAlarms } = proof
  const cheats = triedCheats(source)
  const fooled = fooling(cheats).length
  return {
    schemaVersion: 1,
    tool: { name: 'assay', version },
    startedAt,
    durationMs,
    seed,
    faultsDigest: digestOf(source.faults),
    whole,
    summary: {
      sound: faults.every(({ caught }) => caught) && unclean.length + falseAlarms.length + fooled === 0,
      faults: tally(faults),
      byKind: tallies(faults),
      catching: tried.size,
      untried: requirements.filter(({ id, unbreakable }) => !tried.has(id) && unbreakable === undefined)
        .length,
      variations: source.variations.length,
      falseAlarms: falseAlarms.length,
      cheats: { all: cheats.length, fooled },
    },
    requirements,
    faults,
    variations: source.variations.map(({ id, what }) => ({
      id,
      what,
      alarms: falseAlarms
        .filter(({ variation }) => variation.split(' + ').includes(id))
        .map(({ requirement, reason }) => ({ requirement, reason })),
    })),
    cheats,
    unclean,
  }
}

/** The cheats that a run would call conformant. */
export const fooling = (cheats: readonly TriedCheat[]): readonly TriedCheat[] =>
  cheats.filter(({ convicting }) => convicting === 0)

function triedCheats({ cheats, cheatTrials }: MatrixSource): readonly TriedCheat[] {
  const whats = new Map(cheats.map(({ id, what }) => [id, what]))
  return cheatTrials.map(({ cheat, ...said }) => ({ id: cheat, what: whats.get(cheat) ?? '', ...said }))
}

function triedFaults({ proof, faults }: MatrixSource): readonly TriedFault[] {
  const escaped = new Set(proof.escaped.map(({ fault }) => fault))
  const catches = new Map<string, Catch[]>()
  for (const { fault, ...found } of proof.reactions)
    catches.set(fault, [...(catches.get(fault) ?? []), found])
  return faults.map(({ id, what, kind, client }) => ({
    id,
    what,
    kind,
    ...(client !== undefined && { client }),
    caught: !escaped.has(id),
    by: catches.get(id) ?? [],
  }))
}

function provenRequirements({ requirements, unbreakable }: MatrixSource): readonly ProvenRequirement[] {
  const reasons = new Map(unbreakable.map(({ id, reason }) => [id, reason]))
  return requirements.map(({ id, interface: on, level, statement, source }) => {
    const reason = reasons.get(id)
    return {
      id,
      interface: on,
      level,
      statement,
      source,
      ...(reason !== undefined && { unbreakable: reason }),
    }
  })
}

const tally = (faults: readonly TriedFault[]): Tally => ({
  all: faults.length,
  caught: faults.filter(({ caught }) => caught).length,
})

const tallies = (faults: readonly TriedFault[]): Matrix['summary']['byKind'] => {
  const of = (kind: FaultKind) => tally(faults.filter((fault) => fault.kind === kind))
  return {
    corruption: of('corruption'),
    security: of('security'),
    interoperability: of('interoperability'),
    cosmetic: of('cosmetic'),
  }
}

/** `sha256:` of a list of faults, whatever their order: their ids, and the requirements that each names. */
export function digestOf(faults: readonly Pick<Fault, 'id' | 'breaks'>[]): string {
  const lines = faults.map(({ id, breaks }) => [id, ...breaks].join(' ')).sort()
  return `sha256:${createHash('sha256').update(lines.join('\n')).digest('hex')}`
}
