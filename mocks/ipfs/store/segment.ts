/**
 * A file of blocks, one behind the other, that only ever grows. Small content of many uploads shares one; an upload of
 * more than a megabyte gets its own, so that dropping it is an unlink.
 */
import { closeSync, openSync, read, readSync, rmSync, statSync, writev, writevSync } from 'node:fs'
import { IpfsError } from '../errors.ts'

/** Reads up to this many bytes are done at once: cheaper than a trip through the thread pool. */
const synchronousLimit = 64 * 1024

export class Segment {
  readonly id: number
  readonly path: string
  /** Bytes written. */
  size: number
  /** Bytes of blocks that the index still names. */
  live = 0
  #file: number | undefined
  #users = 0
  #closing = false
  #exists: boolean

  constructor(id: number, path: string, exists: boolean) {
    this.id = id
    this.path = path
    this.#exists = exists
    this.size = exists ? statSync(path).size : 0
  }

  /** Whether nothing reads or writes it just now and its file is open. */
  get idle(): boolean {
    return this.#users === 0 && this.#file !== undefined
  }

  /** Appends the pieces and returns the offset of the first. */
  appendSync(pieces: readonly Uint8Array[], length: number): number {
    const offset = this.#reserve(length)
    let written = 0
    for (const batch of batches(pieces)) written += writevSync(this.#open(), batch, offset + written)
    if (written !== length) throw shortWrite(this.path)
    return offset
  }

  /** Takes what another thread wrote to the file: `length` bytes from its begin. */
  adopt(length: number): void {
    this.size = length
    this.#exists = true
  }

  async append(pieces: readonly Uint8Array[], length: number): Promise<number> {
    const offset = this.#reserve(length)
    let written = 0
    await this.#use(async (file) => {
      for (const batch of batches(pieces)) written += await writeAll(file, batch, offset + written)
    })
    if (written !== length) throw shortWrite(this.path)
    return offset
  }

  read(offset: number, length: number): Uint8Array | Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(length)
    if (length > synchronousLimit) return this.#use((file) => readAll(file, buffer, offset))
    if (readSync(this.#open(), buffer, 0, length, offset) !== length) throw damaged()
    return buffer
  }

  /** Closes the file as soon as nobody uses it; a later read opens it again. */
  close(): void {
    if (this.#users > 0) {
      this.#closing = true
      return
    }
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#closing = false
  }

  /** Removes the file. Reads under way end well. */
  remove(): void {
    rmSync(this.path, { force: true })
    this.close()
  }

  #reserve(length: number): number {
    const offset = this.size
    this.size += length
    return offset
  }

  #open(): number {
    this.#file ??= openSync(this.path, this.#exists ? 'r+' : 'w+')
    this.#exists = true
    return this.#file
  }

  async #use<T>(work: (file: number) => Promise<T>): Promise<T> {
    const file = this.#open()
    this.#users++
    try {
      return await work(file)
    } finally {
      this.#users--
      if (this.#closing) this.close()
    }
  }
}

/** The most pieces that one system call takes. */
const maxPieces = 1024

function* batches(pieces: readonly Uint8Array[]): Generator<Uint8Array[]> {
  for (let at = 0; at < pieces.length; at += maxPieces) yield pieces.slice(at, at + maxPieces)
}

function writeAll(file: number, pieces: Uint8Array[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(file, pieces, position, (error, written) => (error ? reject(error) : resolve(written)))
  })
}

function readAll(file: number, buffer: Buffer, position: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    read(file, buffer, 0, buffer.length, position, (error, bytes) => {
      if (error) reject(error)
      else if (bytes !== buffer.length) reject(damaged())
      else resolve(buffer)
    })
  })
}

const shortWrite = (path: string) => new Error(`${path}: the disk took only part of the data`)
const damaged = () =>
  new IpfsError('ERR_MALFORMED_BLOCK', 'block in storage has different hash than requested')
