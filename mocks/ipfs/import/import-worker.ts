/** The main thread's side of the import worker. One worker serves all uploads, and starts with the first large one. */
import { Worker } from 'node:worker_threads'
import type { Attributes } from '../dag/unixfs.ts'
import type { FileLayout } from './file.ts'
import type { ImportPlan, ImportResult, Order, Report } from './orders.ts'

/** Bytes that are sent together. */
const batchSize = 1024 * 1024
/** Bytes that may be on their way to the worker before an upload has to wait. */
const windowSize = 8 * 1024 * 1024
/** A smaller buffer costs less to copy than to hand over. */
const transferFrom = 16 * 1024

/** Where the worker's code is. Sources in TypeScript run only on a Node that strips types: elsewhere there is no worker. */
function entry(): URL | undefined {
  if (import.meta.url.endsWith('.js')) return new URL('./worker.js', import.meta.url)
  return 'typescript' in process.features && process.features.typescript
    ? new URL('./worker.ts', import.meta.url)
    : undefined
}

export class ImportWorker {
  /** Whether uploads can be handed over at all. */
  readonly available = entry() !== undefined
  readonly #uploads = new Map<number, WorkerImport>()
  #worker: Worker | undefined
  #last = 0

  /** Begins an upload; `path` is the segment to write, undefined when nothing is to be stored. */
  begin({ prefix, ...layout }: FileLayout, attributes: Attributes, path: string | undefined): WorkerImport {
    const { version, hash, inlineLimit } = prefix
    const plan: ImportPlan = { version, hash: hash.code, inlineLimit, attributes, path, ...layout }
    const id = ++this.#last
    const upload = new WorkerImport((what, transfer = []) => {
      this.#running().postMessage({ id, what } satisfies Order, transfer)
      if (what.kind === 'drop') this.#forget(id)
    })
    this.#uploads.set(id, upload)
    upload.begin(plan)
    this.#worker?.ref()
    return upload
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
    this.#fail('the storage node was closed')
  }

  #running(): Worker {
    const url = entry()
    if (!url) throw new Error('this Node cannot run the import worker')
    if (this.#worker) return this.#worker
    const worker = new Worker(url)
    worker.on('message', ({ id, what }: Report) => {
      this.#uploads.get(id)?.hear(what)
      if (what.kind !== 'taken') this.#forget(id)
    })
    worker.on('error', (error) => this.#fail(`the import worker ended: ${error.name}`))
    this.#worker = worker
    return worker
  }

  /** The process stays for uploads under way, and not for an idle worker. */
  #forget(id: number): void {
    this.#uploads.delete(id)
    if (this.#uploads.size === 0) this.#worker?.unref()
  }

  #fail(message: string): void {
    this.#worker = undefined
    for (const upload of this.#uploads.values()) upload.hear({ kind: 'failed', message })
    this.#uploads.clear()
  }
}

type Send = (what: Order['what'], transfer?: ArrayBuffer[]) => void

/** One upload in the worker. */
export class WorkerImport {
  readonly #send: Send
  readonly #result: Promise<ImportResult>
  #chunks: Uint8Array[] = []
  #gathered = 0
  #underWay = 0
  #failure: Error | undefined
  #resume: () => void = () => {}
  #done: (result: ImportResult) => void = () => {}
  #failed: (error: Error) => void = () => {}

  constructor(send: Send) {
    this.#send = send
    this.#result = new Promise((resolve, reject) => {
      this.#done = resolve
      this.#failed = reject
    })
    // A failure is also told by `write`; nobody may be waiting for the result yet.
    this.#result.catch(() => {})
  }

  begin(plan: ImportPlan): void {
    this.#send({ kind: 'begin', plan })
  }

  /** Takes a chunk, and its buffer with it. Resolves when there is room for the next. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#failure) throw this.#failure
    this.#chunks.push(owned(chunk))
    this.#gathered += chunk.length
    if (this.#gathered < batchSize) return
    this.#flush()
    if (this.#underWay > windowSize)
      await new Promise<void>((resolve) => {
        this.#resume = resolve
      })
  }

  async finish(): Promise<ImportResult> {
    this.#flush()
    this.#send({ kind: 'end' })
    return this.#result
  }

  drop(): void {
    this.#send({ kind: 'drop' })
  }

  hear(what: Report['what']): void {
    if (what.kind === 'taken') this.#underWay -= what.bytes
    else if (what.kind === 'done') this.#done(what)
    else {
      this.#failure = new Error(what.message)
      this.#failed(this.#failure)
    }
    if (what.kind !== 'taken' || this.#underWay <= windowSize / 2) this.#resume()
  }

  #flush(): void {
    if (this.#chunks.length === 0) return
    const buffers = this.#chunks.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))
    this.#send({ kind: 'data', chunks: this.#chunks }, buffers)
    this.#underWay += this.#gathered
    this.#chunks = []
    this.#gathered = 0
  }
}

/** The chunk itself when its buffer holds nothing else and is large; else a copy. */
function owned(chunk: Uint8Array): Uint8Array {
  const { buffer, byteLength } = chunk
  const whole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return whole && byteLength >= transferFrom ? new Uint8Array(buffer) : Uint8Array.from(chunk)
}
