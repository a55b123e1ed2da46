/** A file on its way in. A small one is built here and now; a large one by the worker, if there is one. */

import type { Attributes } from '../dag/unixfs.ts'
import { IpfsError } from '../errors.ts'
import type { Session } from '../store/session.ts'
import { FileImport, type FileLayout, type ImportedFile } from './file.ts'
import type { ImportWorker, WorkerImport } from './import-worker.ts'
import { nowhere } from './prefix.ts'

/** Bytes from which on handing over is worth it. */
const largeFrom = 1024 * 1024

export interface Incoming {
  readonly session: Session
  /** Whether the blocks are kept, or only counted. */
  readonly stored: boolean
  readonly layout: FileLayout
  readonly attributes: Attributes
  readonly worker: ImportWorker
}

export class IncomingFile {
  readonly #incoming: Incoming
  /** What came before it was known whether the file is large. */
  #head: Uint8Array[] = []
  #bytes = 0
  #local: FileImport | undefined
  #remote: WorkerImport | undefined

  constructor(incoming: Incoming) {
    this.#incoming = incoming
    if (!incoming.worker.available) this.#local = this.#build()
  }

  /** Takes the next bytes, and their buffer with them. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#local) {
      this.#local.write(chunk)
      if (this.#incoming.session.full) await this.#incoming.session.drain()
      return
    }
    if (this.#remote) return told(this.#remote.write(chunk))
    this.#head.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > largeFrom) await this.#handOver()
  }

  async finish(): Promise<ImportedFile> {
    if (!this.#remote) {
      const local = this.#local ?? this.#build()
      for (const chunk of this.#head) local.write(chunk)
      return local.finish()
    }
    const { file, keys, lengths } = await told(this.#remote.finish())
    this.#incoming.session.adopt(keys, lengths)
    return file
  }

  /** Gives the file up. */
  drop(): void {
    this.#remote?.drop()
  }

  #build(): FileImport {
    const { session, stored, layout, attributes } = this.#incoming
    return new FileImport(stored ? session : nowhere, layout, attributes)
  }

  async #handOver(): Promise<void> {
    const { session, stored, layout, attributes, worker } = this.#incoming
    this.#remote = worker.begin(layout, attributes, stored ? session.lend() : undefined)
    for (const chunk of this.#head) await told(this.#remote.write(chunk))
    this.#head = []
  }
}

/** What goes wrong in the worker is a failure of this node. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new IpfsError('ERR_STORE_CLOSED', `the storage node failed (${reason})`, { cause })
  }
}
