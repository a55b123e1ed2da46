import { needs } from './capability.ts'
import type { NotVerifiedCause } from './report.ts'
import { type Interface, type Level, levelIn, type Requirement } from './requirement.ts'
import type { RunContext, RunStart, Selection } from './run-context.ts'

/** Why a requirement is not judged in a run. */
export interface Omission {
  readonly cause: NotVerifiedCause
  readonly reason: string
}

/** What any registry owes; the rest is asked only by our specification. */
const ociProfile = ['oci.*', 'auth.challenge.*']

const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY']

const targetOf: Readonly<Record<Interface, 'registry' | 'storage' | 'gateway' | 'graphql' | undefined>> = {
  registry: 'registry',
  token: 'registry',
  storage: 'storage',
  gateway: 'gateway',
  graphql: 'graphql',
  stack: undefined,
}

/** Whether an id matches a glob, in which `*` stands for anything. */
export function matches(glob: string, id: string): boolean {
  const pattern = glob
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${pattern}$`).test(id)
}

/** Why a run leaves a requirement out, or `undefined` when it judges it. */
export function omission(requirement: Requirement, run: RunContext): Omission | undefined {
  return leftOut(requirement, run.selection) ?? unoffered(requirement, run)
}

/** Why a run leaves a requirement out, as far as that is known before anything is asked of its targets. */
export function omissionFromStart(
  requirement: Requirement,
  { selection, targets }: RunStart,
): Omission | undefined {
  return leftOut(requirement, selection) ?? unnamed(requirement, targets)
}

function leftOut(requirement: Requirement, selection: Selection): Omission | undefined {
  const { id } = requirement
  const { profile, spec, only, skip, level, shard } = selection
  const because = (reason: string): Omission => ({ cause: 'left-out', reason })
  if (only.length > 0 && !only.some((glob) => matches(glob, id))) return because('left out by --only')
  if (skip.some((glob) => matches(glob, id))) return because('left out by --skip')
  const isRegistry = /^(oci|auth|service)\./.test(id)
  if (profile === 'oci' && isRegistry && !ociProfile.some((glob) => matches(glob, id))) {
    return because('the profile oci judges only what any registry owes')
  }
  const effective = levelIn(spec, requirement)
  if (effective === undefined) return because(`not part of OCI Distribution ${spec}`)
  if (levels.indexOf(effective) > levels.indexOf(level)) return because('left out by --level')
  if (shard && shardOf(id, shard.count) !== shard.index) return because('left to another shard')
  return undefined
}

/** The name of something that several requirements of a run use: shards that run side by side each have their own. */
export function sharedName(name: string, { shard }: Selection): string {
  return shard ? `${name}-${shard.index}-of-${shard.count}` : name
}

/** Stable: an id stays in its shard whatever else is added. */
function shardOf(id: string, count: number): number {
  let hash = 0
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0
  return (hash % count) + 1
}

function unnamed(requirement: Requirement, targets: RunStart['targets']): Omission | undefined {
  const target = targetOf[requirement.interface]
  return target && !targets[target] ? { cause: 'not-configured', reason: `no ${target} is named` } : undefined
}

function unoffered(requirement: Requirement, { targets, capabilities }: RunContext): Omission | undefined {
  const nowhere = unnamed(requirement, targets)
  if (nowhere) return nowhere
  for (const need of requirement.needs) {
    const capability = capabilities[need]
    if (capability?.offered) continue
    return {
      cause: capability?.cause ?? 'capability-absent',
      reason: capability?.reason ?? `the target does not offer ${needs[need]}`,
    }
  }
  return undefined
}
