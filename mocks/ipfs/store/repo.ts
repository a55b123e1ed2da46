/** Blocks and pins in a folder: what of them there is, where it lies, and what a kill or a reset leaves of it. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BlockKey } from '../dag/cid.ts'
import { IpfsError } from '../errors.ts'
import { Journal, type JournalEntry, journalLine, type PinMode, readJournal } from './journal.ts'
import { Segment } from './segment.ts'
import { Session } from './session.ts'

export interface Location {
  readonly segment: Segment
  readonly offset: number
  readonly length: number
}

export interface Pin {
  readonly mode: PinMode
  readonly name: string
}

interface State {
  /** Where each block lies. */
  readonly blocks: Map<BlockKey, Location>
  /** By the CID as text: the same content under two versions of CID is two pins, as on Kubo. */
  readonly pins: Map<string, Pin>
}

/** A shared segment is left for a new one at this size, so that compaction works in portions. */
const sharedLimit = 256 * 1024 * 1024
/** Files of segments that stay open. */
const openLimit = 256

export class Repo {
  readonly folder: string
  /** Counts resets: work that began under an older one is refused. */
  epoch = 0
  readonly #segments = new Map<number, Segment>()
  readonly #sessions = new Set<Session>()
  readonly #journal: Journal
  #start: State = { blocks: new Map(), pins: new Map() }
  /** What a reset needs again. */
  #startSegments: ReadonlySet<Segment> = new Set()
  #state: State
  #shared: Segment | undefined
  #nextSegment = 1
  #closed = false
  #usage = 0

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
    this.#state = this.#load()
    this.#journal = new Journal(join(folder, 'journal'), entriesOf(this.#state))
    this.#recount()
  }

  /** Number of blocks. */
  get count(): number {
    return this.#state.blocks.size
  }

  /** Bytes of all blocks, each counted once. */
  get usage(): number {
    return this.#usage
  }

  get pins(): ReadonlyMap<string, Pin> {
    return this.#state.pins
  }

  keys(): IterableIterator<BlockKey> {
    return this.#state.blocks.keys()
  }

  has(key: BlockKey): boolean {
    return this.#state.blocks.has(key)
  }

  /** Bytes of a block; undefined when it is not here. */
  size(key: BlockKey): number | undefined {
    return this.#state.blocks.get(key)?.length
  }

  /** Bytes `start` to `end` of a block, undefined when it is not here. Small ones come without a promise. */
  read(key: BlockKey, start = 0, end?: number): Uint8Array | Promise<Uint8Array> | undefined {
    const location = this.#state.blocks.get(key)
    if (!location) return undefined
    const stop = Math.min(end ?? location.length, location.length)
    this.#limitOpen(location.segment)
    return location.segment.read(location.offset + start, Math.max(0, stop - start))
  }

  /** Begins to add blocks. They count only after the session's `commit`. */
  session(): Session {
    const session = new Session(this)
    this.#sessions.add(session)
    return session
  }

  /** The segment that small uploads share. */
  shared(): Segment {
    if (!this.#shared || this.#shared.size >= sharedLimit) this.#shared = this.newSegment()
    return this.#shared
  }

  newSegment(): Segment {
    const id = this.#nextSegment++
    const segment = new Segment(id, this.#pathOf(id), false)
    this.#segments.set(id, segment)
    return segment
  }

  /** Makes written blocks count. Those that came from elsewhere in the meantime stay where they are. */
  publish(session: Session, placed: ReadonlyMap<BlockKey, Location>): void {
    this.#sessions.delete(session)
    let lines = ''
    for (const [key, location] of placed) {
      if (this.#state.blocks.has(key)) continue
      lines += journalLine(blockEntry(key, location))
      this.#place(key, location)
    }
    this.#journal.append(lines)
  }

  abandon(session: Session): void {
    this.#sessions.delete(session)
  }

  /** Removes a segment of which nothing counts. */
  discard(segment: Segment): void {
    this.#segments.delete(segment.id)
    segment.remove()
  }

  /** Throws ERR_STORE_CLOSED when the repo was reset or closed since `epoch`. */
  check(epoch: number): void {
    if (this.#closed || epoch !== this.epoch) {
      throw new IpfsError('ERR_STORE_CLOSED', 'the storage node was reset while this request was under way')
    }
  }

  pin(cid: string, pin: Pin): void {
    this.#journal.append(journalLine({ kind: 'pin', cid, ...pin }))
    this.#state.pins.set(cid, pin)
  }

  unpin(cid: string): void {
    this.#journal.append(journalLine({ kind: 'unpin', cid }))
    this.#state.pins.delete(cid)
  }

  /** The blocks that uploads under way rely on. */
  *pending(): Generator<BlockKey> {
    for (const session of this.#sessions) yield* session.keys()
  }

  drop(keys: Iterable<BlockKey>): void {
    let lines = ''
    for (const key of keys) {
      const location = this.#state.blocks.get(key)
      if (!location) continue
      this.#state.blocks.delete(key)
      this.#usage -= location.length
      location.segment.live -= location.length
      lines += journalLine({ kind: 'drop', key })
    }
    this.#journal.append(lines)
    this.#removeEmpty()
  }

  /** Segments of which less than half still counts, with the blocks that do. */
  sparse(): Map<Segment, BlockKey[]> {
    this.#shared = undefined
    const sparse = new Map<Segment, BlockKey[]>()
    for (const segment of this.#segments.values()) {
      if (segment.live > 0 && segment.live * 2 < segment.size && !this.#keeps(segment))
        sparse.set(segment, [])
    }
    if (sparse.size === 0) return sparse
    for (const [key, { segment }] of this.#state.blocks) sparse.get(segment)?.push(key)
    return sparse
  }

  /** Records that blocks lie elsewhere now. */
  relocate(moved: ReadonlyMap<BlockKey, Location>): void {
    let lines = ''
    for (const [key, location] of moved) {
      const old = this.#state.blocks.get(key)
      if (!old) continue
      lines += journalLine(blockEntry(key, location))
      old.segment.live -= old.length
      this.#usage -= old.length
      this.#place(key, location)
    }
    this.#journal.append(lines)
    this.#removeEmpty()
  }

  /** Takes the present state as the one that `reset` returns to. */
  rememberStart(): void {
    this.#start = copyOf(this.#state)
    this.#startSegments = new Set([...this.#start.blocks.values()].map(({ segment }) => segment))
  }

  /** Returns to the remembered state; what is being written is refused from now on. */
  reset(): void {
    this.epoch++
    this.#sessions.clear()
    this.#state = copyOf(this.#start)
    this.#journal.replace(entriesOf(this.#state))
    this.#shared = undefined
    this.#recount()
    this.#removeEmpty()
  }

  close(): void {
    this.#closed = true
    this.#journal.close()
    for (const segment of this.#segments.values()) segment.close()
  }

  #load(): State {
    const state: State = { blocks: new Map(), pins: new Map() }
    for (const entry of readJournal(join(this.folder, 'journal'))) this.#replay(state, entry)
    for (const { segment } of state.blocks.values()) this.#segments.set(segment.id, segment)
    this.#nextSegment = Math.max(0, ...this.#segments.keys()) + 1
    for (const name of readdirSync(this.folder)) {
      const id = Number(/^segment-(\d+)$/.exec(name)?.[1])
      if (id && !this.#segments.has(id)) rmSync(join(this.folder, name), { force: true })
    }
    return state
  }

  #replay({ blocks, pins }: State, entry: JournalEntry): void {
    if (entry.kind === 'pin') pins.set(entry.cid, { mode: entry.mode, name: entry.name })
    else if (entry.kind === 'unpin') pins.delete(entry.cid)
    else if (entry.kind === 'drop') blocks.delete(entry.key)
    else {
      const segment = this.#segmentAt(entry.segment)
      if (segment) blocks.set(entry.key, { segment, offset: entry.offset, length: entry.length })
    }
  }

  #segmentAt(id: number): Segment | undefined {
    const known = this.#segments.get(id)
    if (known) return known
    try {
      const segment = new Segment(id, this.#pathOf(id), true)
      this.#segments.set(id, segment)
      return segment
    } catch {
      // The lines of a segment outlive its file when all of its blocks were dropped or moved later in the journal.
      return undefined
    }
  }

  #pathOf(id: number): string {
    return join(this.folder, `segment-${id}`)
  }

  #place(key: BlockKey, location: Location): void {
    this.#state.blocks.set(key, location)
    this.#usage += location.length
    location.segment.live += location.length
  }

  #recount(): void {
    this.#usage = 0
    for (const segment of this.#segments.values()) segment.live = 0
    for (const { segment, length } of this.#state.blocks.values()) {
      segment.live += length
      this.#usage += length
    }
  }

  #keeps(segment: Segment): boolean {
    if (segment === this.#shared || this.#startSegments.has(segment)) return true
    return [...this.#sessions].some((session) => session.writesTo(segment))
  }

  #removeEmpty(): void {
    for (const segment of [...this.#segments.values()]) {
      if (segment.live === 0 && !this.#keeps(segment)) this.discard(segment)
    }
  }

  #limitOpen(wanted: Segment): void {
    if (this.#segments.size <= openLimit || wanted.idle) return
    const idle = [...this.#segments.values()].filter((segment) => segment.idle)
    for (const segment of idle.slice(0, Math.max(0, idle.length - openLimit))) segment.close()
  }
}

const blockEntry = (key: BlockKey, { segment, offset, length }: Location): JournalEntry => ({
  kind: 'block',
  key,
  segment: segment.id,
  offset,
  length,
})

const copyOf = ({ blocks, pins }: State): State => ({ blocks: new Map(blocks), pins: new Map(pins) })

function* entriesOf({ blocks, pins }: State): Generator<JournalEntry> {
  for (const [key, location] of blocks) yield blockEntry(key, location)
  for (const [cid, pin] of pins) yield { kind: 'pin', cid, ...pin }
}
