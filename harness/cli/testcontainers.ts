/** The package's entry point `assay/testcontainers`: the registry on a real PostgreSQL and a real Kubo, as containers. */

import { type Closers, createClosers } from '../../mocks/stack/closers.ts'
import type { Targets } from '../../mocks/stack/targets.ts'
import { type RegistryStackOptions, startContainers } from './start-containers.ts'

export { MissingTestcontainersError } from './load-testcontainers.ts'
export type { RegistryStackOptions, Targets }

/** A registry, its PostgreSQL and its Kubo, as containers on a network of their own. */
export class RegistryStack {
  readonly #options: RegistryStackOptions

  constructor(options: RegistryStackOptions) {
    this.#options = options
  }

  /**
   * Starts the containers, and resolves once all answer. Rejects with `MissingTestcontainersError`, or with the error of
   * testcontainers where Docker does not answer or a container does not start; nothing is left running then.
   */
  async start(): Promise<StartedRegistryStack> {
    const closers = createClosers()
    try {
      return new StartedRegistryStack(await startContainers(this.#options, closers), closers)
    } catch (error) {
      await closers.close().catch(() => undefined)
      throw error
    }
  }
}

/** A running stack. */
export class StartedRegistryStack {
  /** Where the stack is and how to get in, for `run()` and for `assay test --targets`. */
  readonly targets: Targets
  readonly #closers: Closers

  constructor(targets: Targets, closers: Closers) {
    this.targets = targets
    this.#closers = closers
  }

  /** Stops and removes the containers, what they stored, and their network. */
  async stop(): Promise<void> {
    await this.#closers.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}
