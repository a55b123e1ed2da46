import { type Cleaned, type CleanOptions, clean } from '../cleanup/clean.ts'
import { findJournals, isUnderWay, type RunJournal, startJournal } from '../journal/folder.ts'
import { readJournal } from '../journal/journal.ts'
import { reach } from '../probe/probe.ts'
import type { CleanupReport } from '../report.ts'
import type { Targets } from '../target.ts'
import { journalTargets } from './journal-targets.ts'
import { version } from './version.ts'

type Run = Pick<CleanOptions, 'targets' | 'transport' | 'concurrency'> & {
  readonly seed: number
  readonly namespace: string
}

const limitMs = 60_000
/** Who pressed Ctrl-C waits. */
const interruptedLimitMs = 5000

/** The journal of a run that begins. Throws the file system's error. */
export function openRunJournal({ targets, seed, namespace }: Run): RunJournal {
  return startJournal({ tool: `assay ${version}`, seed, namespace, targets: journalTargets(targets) })
}

/** Removes what a run made. Its journal goes too, unless what is left may be removed another time. */
export async function tidyUp(
  journal: RunJournal,
  options: Omit<CleanOptions, 'limitMs'>,
  interrupted: boolean,
): Promise<CleanupReport> {
  let keep = true
  try {
    const cleaned = await clean(journal.file, {
      ...options,
      limitMs: interrupted ? interruptedLimitMs : limitMs,
    })
    keep = cleaned.again
    return reported(cleaned)
  } finally {
    journal.end(keep)
  }
}

function reported({ removed, residue, durationMs }: Cleaned): CleanupReport {
  return { removed: Object.values(removed).reduce((sum, count) => sum + count, 0), residue, durationMs }
}

/** Removes what a run that was killed left in the namespace that a run is about to use. Returns how many things. */
export async function clearTheWay(run: Run): Promise<number> {
  const files = findJournals().filter((file) => isAbandoned(file, run))
  if (files.length === 0) return 0
  const access = await reach(run.targets, run.transport, run.namespace)
  let removed = 0
  for (const file of files) {
    const cleanup = await tidyUp(adopted(file), { ...run, access }, false)
    removed += cleanup.removed
  }
  return removed
}
