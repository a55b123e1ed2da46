import { createHttpClient } from '../http.ts'
import type { JournalHeader } from '../journal/event.ts'
import { openJournal, readJournal } from '../journal/journal.ts'
import { placeOf, type Thing, type ThingKind } from '../journal/thing.ts'
import { createRedactor } from '../redactor.ts'
import { createRegistryClient, type RegistryAccess } from '../registry-client.ts'
import type { Residue } from '../report.ts'
import { secretsOf, type Targets } from '../target.ts'
import { createTransport, type TransportOptions } from '../transport.ts'
import type { Left } from './outcome.ts'
import { cleanPlatform } from './platform.ts'
import { cleanRegistry } from './registry.ts'
import { createRemover, type Remaining } from './remover.ts'
import { cleanStorage } from './storage.ts'

export interface CleanOptions {
  readonly targets: Targets
  readonly access: RegistryAccess
  readonly transport: TransportOptions
  /** Removals side by side. */
  readonly concurrency: number
  /** After so long the rest is left. */
  readonly limitMs: number
  readonly signal?: AbortSignal
}

export interface Cleaned {
  readonly removed: Readonly<Partial<Record<ThingKind, number>>>
  readonly residue: readonly Residue[]
  /** Whether what is left may go another time. */
  readonly again: boolean
  /** Whether credentials were refused. */
  readonly denied: boolean
  readonly durationMs: number
}

/** Removes what a journal says its run made, and nothing else. What is gone is noted there. */
export async function clean(file: string, options: CleanOptions): Promise<Cleaned> {
  const start = performance.now()
  const { header, ledger } = readJournal(file)
  const things = ledger.things()
  const journal = openJournal(file)
  const transport = createTransport(options.transport)
  const limit = AbortSignal.timeout(options.limitMs)
  const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit
  const remover = createRemover({ journal, concurrency: options.concurrency, signal })
  const work = { ...options, transport, signal, remover }
  const kept = things.flatMap((thing) => keptBack(thing, header, ledger.occupied, options.targets))
  try {
    const left = [...kept, ...(await cleanTargets(without(things, kept), work))]
    // What was still on its way when its removal was asked for may have arrived since.
    left.push(...(await cleanTargets(without(ledger.unanswered(), left), work)))
    return {
      removed: countByKind(without(things, left)),
      residue: summarised(left),
      again: left.some(({ again }) => again),
      denied: left.some(({ denied }) => denied === true),
      durationMs: Math.round(performance.now() - start),
    }
  } finally {
    journal.close()
    await transport.close()
  }
}

function without(things: readonly Thing[], left: readonly Remaining[]): readonly Thing[] {
  const spared = new Set(left.map(({ thing }) => thing))
  return things.filter((thing) => !spared.has(thing))
}

type Work = Omit<CleanOptions, 'transport'> & {
  readonly transport: ReturnType<typeof createTransport>
  readonly signal: AbortSignal
  readonly remover: ReturnType<typeof createRemover>
}

async function cleanTargets(things: readonly Thing[], work: Work): Promise<readonly Remaining[]> {
  const { targets, access, transport, signal, remover } = work
  const { registry, storage, graphql } = targets
  const redactor = createRedactor()
  for (const [secret, label] of secretsOf(targets)) redactor.add(secret, label)
  const http = createHttpClient({ transport, redactor, record: [], signal, observer: undefined })
  const client =
    registry &&
    createRegistryClient({ target: registry, access, account: 'owner', http, redactor, tokens: new Map() })
  const remaining = await Promise.all([
    client ? cleanRegistry(client, things, remover) : [],
    storage ? cleanStorage(http, storage.url, things, remover) : [],
    graphql ? cleanPlatform(http, graphql, things, remover) : [],
  ])
  return remaining.flat()
}

/** What is left although it could be removed: it may not be the run's own, or its target is not named. */
function keptBack(
  thing: Thing,
  { namespace, elsewhere = namespace }: JournalHeader,
  occupied: boolean,
  { registry, storage, graphql }: Targets,
): readonly Remaining[] {
  const keep = (reason: string, again = false): readonly Remaining[] => [{ thing, reason, again }]
  if (thing.kind === 'pin' || thing.kind === 'fault')
    return storage ? [] : keep('no storage node is named', true)
  if (!('repository' in thing)) return graphql ? [] : keep('no platform is named', true)
  if (!registry) return keep('no registry is named', true)
  if (![namespace, elsewhere].some((place) => thing.repository.startsWith(`${place}/`)))
    return keep('it lies outside the namespace of the run')
  return occupied && thing.kind !== 'upload' ? keep(mayBeOlder) : []
}

const mayBeOlder = 'its namespace was in use before the run, so it may not be the run that made it'

function countByKind(things: readonly Thing[]): Cleaned['removed'] {
  const counts: Partial<Record<ThingKind, number>> = {}
  for (const { kind } of things) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const mostPlaces = 3

function summarised(left: readonly (Left & { readonly thing: Thing })[]): readonly Residue[] {
  const groups = new Map<string, { kind: ThingKind; reason: string; count: number; places: Set<string> }>()
  for (const { thing, reason } of left) {
    const key = `${thing.kind} ${reason}`
    const group = groups.get(key) ?? { kind: thing.kind, reason, count: 0, places: new Set<string>() }
    group.count += 1
    if (group.places.size < mostPlaces) group.places.add(placeOf(thing))
    groups.set(key, group)
  }
  return [...groups.values()].map((group) => ({ ...group, places: [...group.places] }))
}
