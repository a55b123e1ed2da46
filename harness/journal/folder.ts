import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { JournalHeader } from './event.ts'
import { createJournal, readHeader } from './journal.ts'

const beatMs = 2000
/** A run that has not given a sign of life for so long is over. */
const silentMs = 5 * beatMs
const suffix = '.journal'

/** Where journals lie: the folder for the state of programs, and where that cannot be written, a temporary one. */
export function journalFolders(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const { XDG_STATE_HOME, LOCALAPPDATA } = environment
  const state = XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), '.local', 'state')
  return [join(state, 'assay', 'runs'), join(tmpdir(), `assay-runs-${userInfo().username}`)]
}

/** The journal of a run under way. */
export interface RunJournal {
  readonly file: string
  /** The run is over; its journal goes too, unless it is still needed. */
  end(keep: boolean): void
}

/** Makes the journal of this process's run, and keeps it fresh. Throws the file system's error. */
export function startJournal(
  run: Pick<JournalHeader, 'tool' | 'seed' | 'namespace' | 'elsewhere' | 'targets'>,
): RunJournal {
  const startedAt = new Date().toISOString()
  const header: JournalHeader = { journal: 1, ...run, startedAt, host: hostname(), pid: process.pid }
  const name = [
    startedAt.replace(/\W/g, '').slice(0, 15),
    run.namespace.split('/').at(-1),
    randomBytes(3).toString('hex'),
  ]
  const file = createIn(journalFolders(), `${name.join('-')}${suffix}`, header)
  const timer = setInterval(() => beat(file), beatMs)
  timer.unref()
  return {
    file,
    end(keep) {
      clearInterval(timer)
      if (!keep) removeJournal(file)
    },
  }
}

/** Removes a journal whose content is gone. */
export function removeJournal(file: string): void {
  rmSync(file, { force: true })
}

function createIn([folder, ...others]: readonly string[], name: string, header: JournalHeader): string {
  const file = join(folder ?? '', name)
  try {
    mkdirSync(folder ?? '', { recursive: true, mode: 0o700 })
    createJournal(file, header).close()
    return file
  } catch (error) {
    if (others.length === 0) throw error
    return createIn(others, name, header)
  }
}

function beat(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Somebody removed it: the run goes on.
  }
}

/** Journals in the default places, the oldest first. */
export function findJournals(): readonly string[] {
  return journalFolders()
    .flatMap((folder) => entriesOf(folder).map((name) => join(folder, name)))
    .filter((file) => file.endsWith(suffix))
    .sort()
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether the run of a journal is still under way. */
export function isUnderWay(file: string): boolean {
  const { host, pid } = readHeader(file)
  const isFresh = Date.now() - statSync(file).mtimeMs < silentMs
  return isFresh && (host !== hostname() || isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
