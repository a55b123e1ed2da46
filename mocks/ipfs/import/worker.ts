/** The thread that hashes and writes large uploads, so that receiving them and their SHA-256 go on beside it. */
import { closeSync, openSync, writevSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { hashByCode, sha256 } from '../dag/hash.ts'
import { FileImport } from './file.ts'
import type { ImportPlan, ImportResult, Order, Report } from './orders.ts'
import type { BlockSink } from './prefix.ts'

const batchSize = 1024 * 1024
/** The most pieces that one system call takes. */
const maxPieces = 1024

/** Writes blocks to one file, each once. */
class SegmentSink implements BlockSink {
  readonly keys: string[] = []
  readonly lengths: number[] = []
  readonly #known = new Set<string>()
  readonly #file: number | undefined
  #pieces: Uint8Array[] = []
  #bytes = 0
  #written = 0

  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openSync(path, 'w')
  }

  put(key: string, pieces: readonly Uint8Array[], length: number): void {
    if (this.#file === undefined || this.#known.has(key)) return
    this.#known.add(key)
    this.keys.push(key)
    this.lengths.push(length)
    this.#pieces.push(...pieces)
    this.#bytes += length
    if (this.#bytes >= batchSize) this.flush()
  }

  flush(): void {
    if (this.#file === undefined) return
    const end = this.#written + this.#bytes
    for (let at = 0; at < this.#pieces.length; at += maxPieces) {
      this.#written += writevSync(this.#file, this.#pieces.slice(at, at + maxPieces), this.#written)
    }
    if (this.#written !== end) throw new Error('the disk took only part of the data')
    this.#pieces = []
    this.#bytes = 0
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}

class Upload {
  readonly #sink: SegmentSink
  readonly #file: FileImport

  constructor({ version, hash, inlineLimit, path, attributes, ...layout }: ImportPlan) {
    this.#sink = new SegmentSink(path)
    const prefix = {
      version,
      hash: hashByCode(hash) ?? sha256,
      ...(inlineLimit === undefined ? {} : { inlineLimit }),
    }
    this.#file = new FileImport(this.#sink, { prefix, ...layout }, attributes)
  }

  take(chunks: readonly Uint8Array[]): number {
    let bytes = 0
    for (const chunk of chunks) {
      this.#file.write(chunk)
      bytes += chunk.length
    }
    return bytes
  }

  end(): ImportResult {
    const file = this.#file.finish()
    this.#sink.flush()
    this.#sink.close()
    return { file, keys: this.#sink.keys, lengths: this.#sink.lengths }
  }

  drop(): void {
    this.#sink.close()
  }
}

const uploads = new Map<number, Upload>()

/** What there is to say about an order; nothing about one for an upload that has failed. */
function carryOut({ id, what }: Order): Report['what'] | undefined {
  if (what.kind === 'begin') {
    uploads.set(id, new Upload(what.plan))
    return undefined
  }
  const upload = uploads.get(id)
  if (!upload) return undefined
  if (what.kind === 'data') return { kind: 'taken', bytes: upload.take(what.chunks) }
  uploads.delete(id)
  if (what.kind === 'end') return { kind: 'done', ...upload.end() }
  upload.drop()
  return undefined
}

parentPort?.on('message', (order: Order) => {
  const report = (what: Report['what']) => parentPort?.postMessage({ id: order.id, what } satisfies Report)
  try {
    const what = carryOut(order)
    if (what) report(what)
  } catch (error) {
    uploads.get(order.id)?.drop()
    uploads.delete(order.id)
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    report({ kind: 'failed', message: code })
  }
})
