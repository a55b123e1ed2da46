import { type Cleaned, type CleanOptions, clean } from '../cleanup/clean.ts'
import type { JournalHeader } from '../journal/event.ts'
import { findJournals, isUnderWay, type RunJournal, removeJournal, startJournal } from '../journal/folder.ts'
import { readHeader, readJournal } from '../journal/journal.ts'
import { reach } from '../probe/probe.ts'
import type { RegistryAccess } from '../registry-client.ts'
import type { CleanupReport } from '../report.ts'
import type { Targets } from '../target.ts'
import { version } from './version.ts'

type Run = Pick<CleanOptions, 'targets' | 'transport' | 'concurrency'> & {
  readonly seed: number
  readonly namespace: string
  readonly elsewhere?: string
  /** When the run itself is ended, where that was asked for. */
  readonly limitMs?: number
}

const limitMs = 60_000
/** Who pressed Ctrl-C waits. */
const interruptedLimitMs = 5000

/** The journal of a run that begins. Throws the file system's error. */
export function openRunJournal({ targets, seed, namespace, elsewhere }: Run): RunJournal {
  const beside = elsewhere === undefined ? {} : { elsewhere }
  return startJournal({ tool: `assay ${version}`, seed, namespace, ...beside, targets: addresses(targets) })
}

/** The targets that a run can write to, as its journal names them: a URL may carry a password. */
export function addresses({ registry, storage, graphql }: Targets): JournalHeader['targets'] {
  return {
    ...(registry && { registry: withoutUser(registry.url) }),
    ...(storage && { storage: withoutUser(storage.url) }),
    ...(graphql && { graphql: withoutUser(graphql.url) }),
  }
}

const withoutUser = (url: string) => url.replace(/^(https?:\/\/)[^/@]*@/, '$1')

interface Known {
  readonly access: RegistryAccess
  readonly interrupted: boolean
}

/**
 * Removes what a run made. Its journal goes too, unless what is left may be removed another time. `known` is what the
 * run found out; without it the targets are asked again.
 */
export async function tidyUp(journal: RunJournal, run: Run, known?: Known): Promise<CleanupReport> {
  let keep = true
  try {
    if (readJournal(journal.file).ledger.things().length === 0) {
      keep = false
      return { removed: 0, residue: [], durationMs: 0 }
    }
    const access = known?.access ?? (await reach(run.targets, run.transport, run.namespace))
    // Who has no time for a run has no more for what comes after it.
    const patience = Math.min(limitMs, run.limitMs ?? limitMs)
    const limit = known?.interrupted ? interruptedLimitMs : patience
    const cleaned = await clean(journal.file, { ...run, access, limitMs: limit })
    keep = cleaned.again
    return reported(cleaned)
  } finally {
    journal.end(keep)
  }
}

function reported({ removed, residue, durationMs }: Cleaned): CleanupReport {
  return { removed: Object.values(removed).reduce((sum, count) => sum + count, 0), residue, durationMs }
}

/**
 * Removes what a killed run left in the namespace that a run is about to use: the same seed gives the same names, and
 * leftovers would change what is seen. Returns the number of things.
 */
export async function clearTheWay(run: Run): Promise<number> {
  const files = findJournals().filter((file) => isInTheWay(file, run))
  if (files.length === 0) return 0
  const access = await reach(run.targets, run.transport, run.namespace)
  let removed = 0
  for (const file of files) {
    const cleaned = await clean(file, { ...run, access, limitMs })
    removed += reported(cleaned).removed
    if (!cleaned.again) removeJournal(file)
  }
  return removed
}

function isInTheWay(file: string, { targets, namespace }: Run): boolean {
  try {
    const header = readHeader(file)
    const { registry, storage } = addresses(targets)
    const isSame = header.targets.registry === registry && header.targets.storage === storage
    if (!isSame || header.namespace !== namespace || isUnderWay(file)) return false
    readJournal(file)
    return true
  } catch {
    // What cannot be read is for `assay clean` to complain about.
    return false
  }
}
