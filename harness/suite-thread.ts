import { Worker } from 'node:worker_threads'
import type { PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'

const everySuite = new URL('../suites/every.js', import.meta.url)

let ahead: Worker | undefined

/**
 * Begins the thread that will judge, so that it loads the suites while this one loads Vitest. Only what is built can:
 * the sources need Vite. A thread that no run takes keeps no process alive.
 */
export function beginSuiteThread(): void {
  ahead ??= begin()
}

/** Threads of Vitest that are given no suites before they have loaded them; the first may have begun ahead. */
export const suiteThreads: PoolRunnerInitializer = {
  name: 'suites',
  createPoolWorker: () => new SuiteThread(),
}

function begin(): Worker {
  const thread = new Worker(new URL('suite-worker.js', import.meta.url), { workerData: everySuite.href })
  thread.unref()
  return thread
}

class SuiteThread implements PoolWorker {
  readonly name = suiteThreads.name
  readonly #thread: Worker

  constructor() {
    this.#thread = ahead ?? begin()
    ahead = undefined
  }

  on(event: string, callback: (argument: unknown) => void): void {
    this.#thread.on(event, callback)
  }

  off(event: string, callback: (argument: unknown) => void): void {
    this.#thread.off(event, callback)
  }

  send(message: WorkerRequest): void {
    this.#thread.postMessage(message)
  }

  deserialize(data: unknown): unknown {
    return data
  }

  async start(): Promise<void> {
    this.#thread.ref()
  }

  async stop(): Promise<void> {
    await this.#thread.terminate()
  }
}
