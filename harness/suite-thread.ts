import { Worker } from 'node:worker_threads'
import type { PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'

let ahead: SuiteThread | undefined

/**
 * Begins the thread that will judge, so that it loads the suites while this one loads Vitest. Only what is built can:
 * the sources need Vite. A thread that no run takes keeps no process alive.
 */
export function beginSuiteThread(): void {
  ahead ??= new SuiteThread()
}

/** Threads that load the suites before Vitest gives them any; the first may have begun ahead. */
export const suiteThreads: PoolRunnerInitializer = {
  name: 'suites',
  createPoolWorker() {
    const thread = ahead ?? new SuiteThread()
    ahead = undefined
    return thread
  },
}

class SuiteThread implements PoolWorker {
  readonly name = suiteThreads.name
  readonly #thread = new Worker(new URL('suite-worker.js', import.meta.url), {
    workerData: new URL('../suites/every.js', import.meta.url).href,
    // What began this process may be no module at all, such as the text behind -e.
    execArgv: [],
  })
  /** What ended the thread before Vitest listened. */
  #end: Error | undefined

  constructor() {
    this.#thread.unref()
    this.#thread.on('error', (error) => {
      this.#end = error
    })
    this.#thread.on('exit', () => {
      this.#end ??= new Error('the thread of the suites ended before they were judged')
    })
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
    if (this.#end) throw this.#end
    this.#thread.ref()
  }

  async stop(): Promise<void> {
    await this.#thread.terminate()
  }
}
