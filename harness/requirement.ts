import type {} from 'vitest'
import type { Need } from './capability.ts'

/** The words of RFC 2119 that a requirement may carry. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** Which part of a deployment a requirement is about; `stack` needs more than one of them. */
export type Interface = 'registry' | 'token' | 'storage' | 'gateway' | 'graphql' | 'stack'

/** The edition of OCI Distribution that a run judges by; `dev` is its main branch. */
export type SpecVersion = '1.0' | '1.1' | 'dev'

/** Where a requirement stands, so that a reader can check our reading of it. */
export interface Source {
  readonly document: string
  readonly section: string
  readonly url: string
}

/** A requirement as the options of its test carry it; the name of the test is its id. */
export interface RequirementMeta {
  readonly level: Level
  readonly statement: string
  readonly source: Source
  readonly needs: readonly Need[]
  /** What the test looks for among the capabilities, and does without where it is not offered. */
  readonly uses?: readonly Need[]
  /** Only where the id does not tell. */
  readonly on?: Interface
  /** The first edition that has the rule; judged only from there on. */
  readonly since?: SpecVersion
  /** Where the level depends on the edition. */
  readonly levels?: Readonly<Partial<Record<SpecVersion, Level>>>
}

export interface Requirement extends RequirementMeta {
  readonly id: string
  readonly interface: Interface
}

declare module 'vitest' {
  interface TaskMeta {
    requirement?: RequirementMeta
  }
}

type Extras = Partial<Pick<RequirementMeta, 'needs' | 'uses' | 'on' | 'since' | 'levels'>>

const at =
  (level: Level) =>
  (statement: string, source: Source, extras: Extras = {}) => ({
    meta: { requirement: { level, statement, source, needs: [], ...extras } },
  })

/** Options of a test for a rule whose breach makes the target non-conformant. */
export const must = at('MUST')
/** Options of a test for a rule whose breach is a deviation. */
export const should = at('SHOULD')
/** Options of a test for something optional: judged where it is offered. */
export const may = at('MAY')

const interfaces: readonly (readonly [prefix: string, Interface])[] = [
  ['auth.token.', 'token'],
  ['auth.jwt.', 'token'],
  ['storage.gateway.', 'gateway'],
  ['storage.', 'storage'],
  ['graphql.', 'graphql'],
]

/** The requirement that a test declares: its name is the id, and the id tells the interface unless the options do. */
export function requirement(id: string, meta: RequirementMeta): Requirement {
  const byPrefix = interfaces.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 'registry'
  return { ...meta, id, interface: meta.on ?? byPrefix }
}

const editions: readonly SpecVersion[] = ['1.0', '1.1', 'dev']

/** The level under one edition, or `undefined` where that edition does not have the rule. */
export function levelIn(version: SpecVersion, { level, levels, since }: RequirementMeta): Level | undefined {
  if (since && editions.indexOf(version) < editions.indexOf(since)) return undefined
  return levels?.[version] ?? level
}
