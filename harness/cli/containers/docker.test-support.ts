import { getContainerRuntimeClient } from 'testcontainers'
import type { TestContext } from 'vitest'
import { run } from '../program.test-support.ts'
import type { RegistryStackOptions } from '../testcontainers.ts'

const { ASSAY_REGISTRY_IMAGE: registry, ASSAY_POSTGRES_IMAGE: postgres, ASSAY_KUBO_IMAGE: kubo } = process.env

/** Skips the test with the reason where no Docker engine answers, or no image of the registry is named. */
export async function needsDocker({ task, skip }: TestContext): Promise<RegistryStackOptions['images']> {
  const engine = await getContainerRuntimeClient().catch(() => undefined)
  const silent = process.env['ASSAY_NO_ENGINE'] ?? 'the engine does not answer'
  const missing = engine ? 'ASSAY_REGISTRY_IMAGE names no image; npm run test:containers builds one' : silent
  if (!engine || !registry) {
    task.meta.realPart = { name: 'Docker', missing }
    return skip(`Docker: ${missing}`)
  }
  task.meta.realPart = { name: 'Docker', found: `Docker ${engine.info.containerRuntime.serverVersion}` }
  return { registry, ...(postgres && { postgres }), ...(kubo && { kubo }) }
}

/** Every container, network and volume of the engine, by id. */
export async function held(): Promise<readonly string[]> {
  const kinds = [
    'container ls --all --quiet --no-trunc',
    'network ls --quiet --no-trunc',
    'volume ls --quiet',
  ]
  const lists = await Promise.all(kinds.map((kind) => run('docker', kind.split(' '))))
  return lists.flatMap(({ stdout }) => stdout.split('\n').filter(Boolean)).sort()
}
