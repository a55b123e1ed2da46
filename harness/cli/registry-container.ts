import type { Readable } from 'node:stream'
import type { StartedTestContainer } from 'testcontainers'
import { loadTestcontainers } from './load-testcontainers.ts'

/** One registry of a stack. What it acknowledged outlives it, as it lies in the database and the storage node. */
export interface RegistryContainer {
  /** `http://HOST:PORT`; each start may give it another port. */
  readonly url: string
  /** Kills it at once (SIGKILL); requests under way are cut. */
  kill(): Promise<void>
  /** Starts it again after `kill`, and resolves once it answers. */
  start(): Promise<void>
}

/** `read` gets what the container prints after each further start. */
export function registryContainer(
  container: StartedTestContainer,
  read: (output: Readable) => void,
): RegistryContainer {
  return {
    get url() {
      return addressOf(container, 5000)
    },
    async kill() {
      const { getContainerRuntimeClient } = await loadTestcontainers()
      const client = await getContainerRuntimeClient()
      await client.container.getById(container.getId()).kill()
    },
    async start() {
      const since = Math.floor(Date.now() / 1000)
      await container.restart()
      read(await container.logs({ since }))
    },
  }
}

/** Where a port of a container is reached from this machine. */
export const addressOf = (container: StartedTestContainer, port: number) =>
  `http://${container.getHost()}:${container.getMappedPort(port)}`
