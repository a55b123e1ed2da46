/** The package's entry point `assay/testcontainers`: the registry on a real PostgreSQL and a real Kubo, as containers. */

import { type Closers, createClosers } from '../../mocks/stack/closers.ts'
import type { Targets } from '../../mocks/stack/targets.ts'
import type { RegistryContainer } from './registry-container.ts'
import { type Containers, type RegistryStackOptions, startContainers } from './start-containers.ts'

export { ContainerStartError } from './container-group.ts'
export { MissingTestcontainersError } from './load-testcontainers.ts'
export type { RegistryContainer, RegistryStackOptions, Targets }

/** Registries, their PostgreSQL and their Kubo, as containers on a network of their own. */
export class RegistryStack {
  readonly #options: RegistryStackOptions

  constructor(options: RegistryStackOptions) {
    this.#options = options
  }

  /**
   * Starts the containers, and resolves once all answer. Rejects with `MissingTestcontainersError`, with
   * `ContainerStartError` and what the containers printed where one does not come up, or with the error of testcontainers
   * where Docker does not answer; nothing is left then.
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
  /** Each can be killed and started again; the first is the `url` of the targets, the others their `instances`. */
  readonly registries: readonly RegistryContainer[]
  readonly #containers: Containers
  readonly #closers: Closers

  constructor(containers: Containers, closers: Closers) {
    this.registries = containers.registries
    this.#containers = containers
    this.#closers = closers
  }

  /** Where the stack is and how to get in, for `run()` and for `assay test --targets`. */
  get targets(): Targets {
    return this.#containers.targets()
  }

  /** Stops and removes the containers, what they stored, and their network. */
  async stop(): Promise<void> {
    await this.#closers.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}
