import { residueSentences } from '../../reports/residue.ts'
import { moment, plural } from '../../reports/words.ts'
import { type Cleaned, clean } from '../cleanup/clean.ts'
import { UnreachableError, UsageError } from '../errors.ts'
import { findJournals, isUnderWay, journalFolders, removeJournal } from '../journal/folder.ts'
import { type ReadJournal, readJournal } from '../journal/journal.ts'
import { placeOf, type Thing, type ThingKind } from '../journal/thing.ts'
import { reach } from '../probe/probe.ts'
import type { Targets } from '../target.ts'
import { isLoopback, type TransportOptions } from '../transport.ts'
import { exits } from './exit.ts'
import { namedTargets, readFile, type TargetFlags, withCredentials } from './plan.ts'
import type { TestFlags } from './test-options.ts'
import { addresses } from './tidy-up.ts'

export type CleanFlags = TargetFlags &
  Pick<TestFlags, 'timeout' | 'concurrency' | 'ca' | 'insecure'> & { readonly dryRun?: true }

interface Job {
  readonly file: string
  readonly journal: ReadJournal
}

const limitMs = 600_000

/** Cleans up after the runs of these journals, or of all that are found. Returns the exit code. */
export async function cleanJournals(files: readonly string[], flags: CleanFlags): Promise<number> {
  const named = await namedTargets(flags)
  const jobs = files.length > 0 ? files.map((file) => chosen(file, named)) : found(named)
  if (jobs.length === 0)
    say(`nothing to clean: no journal of a killed run in ${journalFolders().join(' or ')}`)
  const codes: number[] = []
  for (const job of jobs) codes.push(await cleanOne(job, named, flags).catch(explained))
  return (
    [exits.usage, exits.broken, exits.unreachable, exits.nonConformant].find((code) =>
      codes.includes(code),
    ) ?? 0
  )
}

const say = (line: string) => process.stderr.write(`${line}\n`)
const print = (line: string) => process.stdout.write(`${line}\n`)

function explained(error: unknown): number {
  if (!(error instanceof UnreachableError || error instanceof UsageError)) throw error
  say(error.message)
  return error instanceof UsageError ? exits.usage : exits.unreachable
}

/** A journal that was named. Throws `UsageError` where it cannot be used. */
function chosen(file: string, named: Targets | undefined): Job {
  const journal = read(file)
  const refusal = objection(file, journal, named)
  if (refusal !== undefined) throw new UsageError(`${file}: ${refusal}`)
  return { file, journal }
}

function found(named: Targets | undefined): readonly Job[] {
  return findJournals().flatMap((file) => {
    try {
      const journal = read(file)
      const refusal = objection(file, journal, named)
      if (refusal === undefined) return [{ file, journal }]
      say(`passed over ${file}: ${refusal}`)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      say(`passed over ${error.message}`)
    }
    return []
  })
}

function read(file: string): ReadJournal {
  try {
    return readJournal(file)
  } catch (error) {
    throw new UsageError(`${file} is no journal of a run: ${(error as Error).message}`)
  }
}

/** Why a journal is not used. */
function objection(file: string, { header }: ReadJournal, named: Targets = {}): string | undefined {
  for (const [name, url] of Object.entries(addresses(named))) {
    const its = header.targets[name as keyof typeof header.targets]
    if (its !== url) return `its ${name} is ${its ?? 'none'}, not ${url}`
  }
  return isUnderWay(file) ? `its run is under way (process ${header.pid} on ${header.host})` : undefined
}

async function cleanOne(
  { file, journal }: Job,
  named: Targets | undefined,
  flags: CleanFlags,
): Promise<number> {
  const { header, ledger } = journal
  const things = ledger.things()
  print(file)
  print(`  run of ${moment(header.startedAt)} with the seed ${header.seed}, below ${header.namespace}`)
  for (const [name, url] of Object.entries(header.targets)) print(`  ${name} ${url}`)
  print(`  ${things.length === 0 ? 'nothing is left of it' : counts(things)}`)
  if (flags.dryRun) {
    for (const thing of things) print(`  ${inWords(thing)}`)
    return 0
  }
  if (things.length === 0) {
    removeJournal(file)
    return 0
  }
  const targets = { ...(await withCredentials(asTargets(header.targets), flags)), ...named }
  const transport = transportFor(targets, flags)
  const access = await reach(targets, transport, header.namespace)
  const concurrency = transport.connections
  return told(file, await clean(file, { targets, transport, access, concurrency, limitMs }))
}

function told(file: string, cleaned: Cleaned): number {
  const { removed, residue, again, denied, durationMs } = cleaned
  print(`  removed ${plural(sum(Object.values(removed)), 'thing')} in ${(durationMs / 1000).toFixed(1)} s`)
  for (const sentence of residueSentences(residue)) print(`  left: ${sentence}`)
  if (!again) removeJournal(file)
  if (denied) {
    say(
      'credentials are missing or refused: give --username and --password, --token, --graphql-token or --targets',
    )
    return exits.usage
  }
  return residue.length === 0 ? 0 : exits.nonConformant
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

function counts(things: readonly Thing[]): string {
  const byKind = new Map<ThingKind, number>()
  for (const { kind } of things) byKind.set(kind, (byKind.get(kind) ?? 0) + 1)
  return [...byKind].map(([kind, count]) => plural(count, kind)).join(', ')
}

function inWords(thing: Thing): string {
  switch (thing.kind) {
    case 'manifest':
    case 'blob':
      return `${thing.kind} ${thing.repository}@${thing.digest}`
    case 'tag':
      return `tag ${thing.repository}:${thing.tag}`
    case 'upload':
      return `upload in ${thing.repository}`
    case 'pin':
    case 'block':
      return `${thing.kind} ${thing.cid}`
    case 'fault':
      return `fault ${thing.url}`
    default:
      return `${thing.kind} ${thing.name} on ${placeOf(thing)}`
  }
}

function asTargets({ registry, storage, graphql }: ReadJournal['header']['targets']): Targets {
  return {
    ...(registry !== undefined && { registry: { url: registry } }),
    ...(storage !== undefined && { storage: { url: storage } }),
    ...(graphql !== undefined && { graphql: { url: graphql } }),
  }
}

function transportFor(
  targets: Targets,
  { timeout, concurrency, ca, insecure }: CleanFlags,
): TransportOptions {
  const isLocal = Object.values(addresses(targets)).every(isLoopback)
  return {
    timeoutMs: timeout * 1000,
    connections: concurrency ?? (isLocal ? 8 : 4),
    ...(ca !== undefined && { ca: readFile(ca) }),
    ...(insecure && { insecure }),
  }
}
