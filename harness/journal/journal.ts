import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import type { JournalEvent, JournalHeader } from './event.ts'
import { Ledger } from './ledger.ts'

/** Appends events to a journal. A line is with the operating system when `note` returns, so killing us loses none. */
export interface Journal {
  note(event: JournalEvent): void
  close(): void
}

/** Makes a new journal, readable by its owner alone. Throws the file system's error. */
export function createJournal(file: string, header: JournalHeader): Journal {
  const descriptor = openSync(file, 'wx', 0o600)
  writeSync(descriptor, `${JSON.stringify(header)}\n`)
  closeSync(descriptor)
  return openJournal(file)
}

/** Goes on with a journal; several threads may do so at once. */
export function openJournal(file: string): Journal {
  const isCut = !readFileSync(file, 'latin1').endsWith('\n')
  const descriptor = openSync(file, 'a')
  if (isCut) writeSync(descriptor, '\n')
  return {
    note(event) {
      writeSync(descriptor, `${JSON.stringify(event)}\n`)
    },
    close: () => closeSync(descriptor),
  }
}

export interface ReadJournal {
  readonly header: JournalHeader
  readonly ledger: Ledger
}

/** Reads a journal, also one with a line that was cut off: its request never went out. Throws `SyntaxError` for what is none, and the file system's error. */
export function readJournal(file: string): ReadJournal {
  const [first = '', ...lines] = readFileSync(file, 'utf8').split('\n')
  const header = headerOf(first)
  const ledger = new Ledger()
  for (const [i, line] of lines.entries()) {
    if (!line.endsWith('}')) continue
    const event = eventOf(line)
    if (!event) throw new SyntaxError(`line ${i + 2} is no entry`)
    ledger.apply(event)
  }
  return { header, ledger }
}

/** More than the first line of any journal. */
const headerBytes = 65_536

/** Whose journal it is: the rest may be megabytes. Throws as `readJournal` does. */
export function readHeader(file: string): JournalHeader {
  const start = Buffer.alloc(headerBytes)
  const descriptor = openSync(file, 'r')
  try {
    const length = readSync(descriptor, start)
    return headerOf(start.toString('utf8', 0, length).split('\n', 1)[0] ?? '')
  } finally {
    closeSync(descriptor)
  }
}

function headerOf(line: string): JournalHeader {
  const header = JSON.parse(line) as JournalHeader
  if (header?.journal !== 1) throw new SyntaxError('its first line is not that of a journal')
  return header
}

function eventOf(line: string): JournalEvent | undefined {
  try {
    return JSON.parse(line) as JournalEvent
  } catch {
    return undefined
  }
}
