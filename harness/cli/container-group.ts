import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { GenericContainer, StartedTestContainer } from 'testcontainers'
import type { Closers } from '../../mocks/stack/closers.ts'
import { createContainerOutput } from './container-output.ts'
import { loadTestcontainers } from './load-testcontainers.ts'

/** A container that did not come up; the message has what it and the others printed last. */
export class ContainerStartError extends Error {
  readonly code = 'ERR_CONTAINER_START'
  override readonly name = 'ContainerStartError'
}

/** Containers on a network of their own. */
export interface ContainerGroup {
  /** A container that is not started yet; `alias` is what the others call it, `name` what errors call it. */
  container(image: string, alias: string, name?: string, read?: (output: Readable) => void): GenericContainer
  /** Starts all and waits for all. Rejects with `ContainerStartError` where one does not come up. */
  start(containers: readonly GenericContainer[]): Promise<StartedTestContainer[]>
}

const label = 'org.assay.stack'

/** Makes the network, and hands what removes it and all its containers to `closers`. */
export async function openContainerGroup(
  closers: Closers,
  secrets: readonly string[],
): Promise<ContainerGroup> {
  const { Network, GenericContainer } = await loadTestcontainers()
  const network = await new Network().start()
  closers.add(() => network.stop().then(() => undefined))
  const id = randomBytes(8).toString('hex')
  closers.add(() => removeContainers(id))
  const output = createContainerOutput(secrets)
  return {
    container: (image, alias, name = alias, read) =>
      new GenericContainer(image)
        .withNetwork(network)
        .withNetworkAliases(alias)
        .withLabels({ [label]: id })
        .withLogConsumer((printed) => {
          output.read(name, printed)
          read?.(printed)
        }),
    async start(containers) {
      // All of them, so that one that fails leaves none behind that still starts.
      const outcomes = await Promise.allSettled(containers.map((container) => container.start()))
      return outcomes.map((outcome) => {
        if (outcome.status === 'fulfilled') return outcome.value
        const reason = String(outcome.reason instanceof Error ? outcome.reason.message : outcome.reason)
        const message = `a container did not start: ${reason.split('\n')[0]}\n${output.describe()}`
        throw new ContainerStartError(message, { cause: outcome.reason })
      })
    },
  }
}

/** Also those that were made and could not be started, of which Testcontainers keeps no record. */
async function removeContainers(id: string): Promise<void> {
  const { getContainerRuntimeClient } = await loadTestcontainers()
  const { dockerode } = (await getContainerRuntimeClient()).container
  const found = await dockerode.listContainers({ all: true, filters: { label: [`${label}=${id}`] } })
  await Promise.all(found.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })))
}
