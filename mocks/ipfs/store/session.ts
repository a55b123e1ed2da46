/** The blocks of one upload on their way to disk. Memory stays below two batches, however large the upload is. */
import type { BlockKey } from '../dag/cid.ts'
import type { Location, Repo } from './repo.ts'
import type { Segment } from './segment.ts'

/** Bytes that are written together. An upload that stays below shares a segment with others. */
const batchSize = 1024 * 1024

export class Session {
  readonly epoch: number
  readonly #repo: Repo
  readonly #placed = new Map<BlockKey, Location>()
  /** Blocks that were here before, and must not be collected until the commit. */
  readonly #relied = new Set<BlockKey>()
  /** Segments that only this session writes. */
  readonly #own = new Set<Segment>()
  #segment: Segment | undefined
  /** The segment that another thread writes for this session. */
  #lent: Segment | undefined
  #waiting = new Map<BlockKey, number>()
  #pieces: Uint8Array[] = []
  #bytes = 0
  #committed = false

  constructor(repo: Repo) {
    this.#repo = repo
    this.epoch = repo.epoch
  }

  /** Takes a block whose pieces nobody changes any more. */
  put(key: BlockKey, pieces: readonly Uint8Array[], length: number): void {
    if (this.#repo.has(key)) {
      this.#relied.add(key)
      return
    }
    if (this.#placed.has(key) || this.#waiting.has(key)) return
    this.#waiting.set(key, length)
    this.#pieces.push(...pieces)
    this.#bytes += length
  }

  /** Whether enough has gathered for `drain` to be worth calling. */
  get full(): boolean {
    return this.#bytes >= batchSize
  }

  /** Writes what has gathered, to a segment of this session's own. */
  async drain(): Promise<void> {
    this.#repo.check(this.epoch)
    this.#segment ??= this.#repo.newSegment()
    this.#own.add(this.#segment)
    const { waiting, pieces, bytes } = this.#take()
    this.#place(this.#segment, waiting, await this.#segment.append(pieces, bytes))
  }

  /** Writes the rest and makes all blocks count. Throws ERR_STORE_CLOSED when the repo was reset meanwhile. */
  commit(): void {
    this.#repo.check(this.epoch)
    if (this.#waiting.size > 0) {
      const segment = this.#segment ?? this.#repo.shared()
      const { waiting, pieces, bytes } = this.#take()
      this.#place(segment, waiting, segment.appendSync(pieces, bytes))
    }
    this.#repo.publish(this, this.#placed)
    this.#committed = true
    for (const segment of this.#own) {
      // Reading opens it again: a thousand large uploads must not hold a thousand files open.
      segment.close()
      if (segment.live === 0) this.#repo.discard(segment)
    }
  }

  /** The path of a new segment that another thread may write; `adopt` takes over what it wrote. */
  lend(): string {
    this.#lent = this.#repo.newSegment()
    return this.#lent.path
  }

  /** Takes the blocks that lie in the lent segment, in this order and from its begin. */
  adopt(keys: readonly BlockKey[], lengths: readonly number[]): void {
    if (!this.#lent) return
    const segment = this.#lent
    let offset = 0
    for (const [index, key] of keys.entries()) {
      const length = lengths[index] ?? 0
      if (this.#repo.has(key)) this.#relied.add(key)
      if (!this.#placed.has(key)) this.#placed.set(key, { segment, offset, length })
      offset += length
    }
    segment.adopt(offset)
    this.#own.add(segment)
    this.#lent = undefined
  }

  /** Gives the upload up; nothing of it counts. After the commit, nothing happens. */
  abandon(): void {
    if (this.#committed) return
    this.#repo.abandon(this)
    for (const segment of this.#own) this.#repo.discard(segment)
    if (this.#lent) this.#repo.discard(this.#lent)
  }

  *keys(): Generator<BlockKey> {
    yield* this.#relied
    yield* this.#placed.keys()
  }

  writesTo(segment: Segment): boolean {
    return this.#lent === segment || this.#own.has(segment)
  }

  #take() {
    const taken = { waiting: this.#waiting, pieces: this.#pieces, bytes: this.#bytes }
    this.#waiting = new Map()
    this.#pieces = []
    this.#bytes = 0
    return taken
  }

  #place(segment: Segment, waiting: ReadonlyMap<BlockKey, number>, start: number): void {
    let offset = start
    for (const [key, length] of waiting) {
      this.#placed.set(key, { segment, offset, length })
      offset += length
    }
  }
}
