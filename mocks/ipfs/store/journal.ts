/**
 * What is stored and pinned, as an append-only list of lines. A block counts once its line is on disk, and it is
 * written behind the bytes that it names, so a kill at any moment leaves a state that was true. The last line may be
 * torn; it is then as if it had never been written.
 */
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'

export type JournalEntry =
  | {
      readonly kind: 'block'
      readonly key: string
      readonly segment: number
      readonly offset: number
      readonly length: number
    }
  | { readonly kind: 'drop'; readonly key: string }
  | { readonly kind: 'pin'; readonly cid: string; readonly mode: PinMode; readonly name: string }
  | { readonly kind: 'unpin'; readonly cid: string }

export type PinMode = 'recursive' | 'direct'

/** Writes an entry as one line. Keys are base64url, since they are bytes. */
export function journalLine(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'block':
      return `+ ${encodeKey(entry.key)} ${entry.segment} ${entry.offset} ${entry.length}\n`
    case 'drop':
      return `- ${encodeKey(entry.key)}\n`
    case 'pin':
      return `pin ${entry.cid} ${entry.mode} ${JSON.stringify(entry.name)}\n`
    case 'unpin':
      return `unpin ${entry.cid}\n`
  }
}

function parseLine(line: string): JournalEntry | undefined {
  const [kind, subject = '', ...rest] = line.split(' ')
  const [segment = Number.NaN, offset = Number.NaN, length = Number.NaN] = rest.map(Number)
  if (kind === '+' && [segment, offset, length].every(Number.isSafeInteger)) {
    return { kind: 'block', key: decodeKey(subject), segment, offset, length }
  }
  if (kind === '-') return { kind: 'drop', key: decodeKey(subject) }
  if (kind === 'unpin') return { kind: 'unpin', cid: subject }
  if (kind === 'pin' && (rest[0] === 'recursive' || rest[0] === 'direct')) {
    return { kind: 'pin', cid: subject, mode: rest[0], name: String(JSON.parse(rest.slice(1).join(' '))) }
  }
  return undefined
}

const encodeKey = (key: string) => Buffer.from(key, 'latin1').toString('base64url')
const decodeKey = (text: string) => Buffer.from(text, 'base64url').toString('latin1')

/** The entries of a journal, oldest first; none when there is no file. */
export function* readJournal(path: string): Generator<JournalEntry> {
  if (!existsSync(path)) return
  const lines = readFileSync(path, 'latin1').split('\n')
  // What follows the last line feed is torn, or nothing.
  lines.pop()
  for (const line of lines) {
    const entry = parseLine(Buffer.from(line, 'latin1').toString())
    if (entry) yield entry
  }
}

export class Journal {
  readonly #path: string
  #file: number

  /** Writes a new journal with `entries` in place of whatever is at `path`, in one step. */
  constructor(path: string, entries: Iterable<JournalEntry>) {
    this.#path = path
    this.#file = this.#rewrite(entries)
  }

  append(lines: string): void {
    if (lines.length > 0) writeSync(this.#file, lines)
  }

  /** Replaces all entries in one step. */
  replace(entries: Iterable<JournalEntry>): void {
    closeSync(this.#file)
    this.#file = this.#rewrite(entries)
  }

  close(): void {
    closeSync(this.#file)
  }

  #rewrite(entries: Iterable<JournalEntry>): number {
    const draft = `${this.#path}.new`
    writeFileSync(draft, [...entries].map(journalLine).join(''))
    renameSync(draft, this.#path)
    return openSync(this.#path, 'a')
  }
}
