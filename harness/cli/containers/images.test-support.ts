import { fileURLToPath } from 'node:url'
import { run } from '../program.test-support.ts'
import { baseImage, buildBase } from './base-image.test-support.ts'
import { isInstalled } from './engine.test-support.ts'
import { pathOf } from './path-of.test-support.ts'
import { buildScratchImage } from './scratch-image.test-support.ts'
import { buildPostgres, buildStorage } from './store-images.test-support.ts'

/** The images of a stack by name; `balancer` only where HAProxy is installed. */
export interface Images {
  readonly registry: string
  readonly postgres: string
  readonly kubo: string
  readonly balancer?: string
}

const imageNames = {
  registry: 'assay-test-registry',
  postgres: 'assay-test-postgres',
  kubo: 'assay-test-storage',
  balancer: 'assay-test-balancer',
} as const
const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** Builds the registry's image with the repository's `Dockerfile`, and what stands in for the published ones. */
export async function buildImages(): Promise<Images> {
  await buildBase()
  const postgres = buildPostgres(imageNames.postgres)
  await Promise.all([postgres, buildRegistry()])
  await Promise.all([buildStorage(imageNames.kubo, imageNames.registry), buildBalancer()])
  const { balancer, ...others } = imageNames
  return { ...others, ...(isInstalled('haproxy') && { balancer }) }
}

/** Removes them again, from an engine that goes on. */
export async function removeImages(): Promise<void> {
  for (const image of [...Object.values(imageNames), baseImage]) {
    await run('docker', ['image', 'rm', '--force', image]).catch(() => undefined)
  }
}

const buildRegistry = () =>
  run(
    'docker',
    // The network of this machine, which reaches the package registry.
    [
      'build',
      '--quiet',
      '--network',
      'host',
      '--build-arg',
      `BASE=${baseImage}`,
      '--tag',
      imageNames.registry,
      repository,
    ],
    { maxBuffer: 2 ** 26 },
  )

async function buildBalancer(): Promise<void> {
  if (!isInstalled('haproxy')) return
  await buildScratchImage({
    tag: imageNames.balancer,
    from: baseImage,
    programs: [pathOf('haproxy')],
    instructions: [
      'USER node',
      `ENTRYPOINT ["${pathOf('haproxy')}", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]`,
    ],
  })
}
