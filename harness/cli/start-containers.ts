import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { StartedTestContainer } from 'testcontainers'
import type { Closers } from '../../mocks/stack/closers.ts'
import { openDataFolder } from '../../mocks/stack/data-folder.ts'
import type { Targets } from '../../mocks/stack/targets.ts'
import { loadTestcontainers } from './load-testcontainers.ts'
import { readRegistryOutput } from './registry-output.ts'

export interface RegistryStackOptions {
  readonly images: {
    /** Runs `assay serve registry --host 0.0.0.0 --json` on port 5000; `docs/containers.md` tells how to build it. */
    readonly registry: string
    /** With the settings of Docker's official image; `postgres:17` unless told. */
    readonly postgres?: string
    /** With the command line and the ports of Kubo's official image; `ipfs/kubo:v0.42.0` unless told. */
    readonly kubo?: string
  }
  /** At least 32 characters; the logins follow from it. A random one unless told. */
  readonly signingSecret?: string
  /** What `iss` and `aud` of the tokens are; the realm is then `https://DOMAIN/token`. Unless told: the host asked. */
  readonly domain?: string
}

/** Starts the containers and hands what ends them to `closers`, also when it rejects. */
export async function startContainers(options: RegistryStackOptions, closers: Closers): Promise<Targets> {
  const { Network, GenericContainer, Wait } = await loadTestcontainers()
  const { images, domain, signingSecret = secret() } = options
  const folder = await openDataFolder(undefined)
  closers.add(folder.release)
  const network = await new Network().start()
  closers.add(() => network.stop().then(() => undefined))
  const on = (image: string, name: string) =>
    new GenericContainer(image).withNetwork(network).withNetworkAliases(name)

  const password = secret()
  const postgres = on(images.postgres ?? 'postgres:17', 'postgres')
    .withEnvironment({ POSTGRES_PASSWORD: password, POSTGRES_DB: 'open_registry' })
    // Over TCP: the server that the official image runs while it sets itself up has only a socket.
    .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready -h 127.0.0.1 -U postgres -d open_registry'))
  const kubo = on(images.kubo ?? 'ipfs/kubo:v0.42.0', 'kubo')
    .withEnvironment({ IPFS_PROFILE: 'server' })
    // Nothing that a test stores is told to other nodes.
    .withCommand(['daemon', '--migrate=true', '--offline'])
    .withExposedPorts(5001, 8080)
    .withWaitStrategy(Wait.forHttp('/api/v0/id', 5001, { abortOnContainerExit: true }).withMethod('POST'))
  const [, startedKubo] = await settle([postgres.start(), kubo.start()], closers)

  const logs = join(folder.path, 'registry.log')
  let described: ReturnType<typeof readRegistryOutput> | undefined
  const registry = on(images.registry, 'registry')
    .withEnvironment({
      REGISTRY_DB_HOST: 'postgres',
      REGISTRY_DB_PASSWORD: password,
      REGISTRY_DFS_STORAGE_API_URL: 'http://kubo:5001',
      REGISTRY_SIGNING_SECRET: signingSecret,
      ...(domain !== undefined && { REGISTRY_DOMAIN: domain }),
    })
    .withLogConsumer((output) => {
      described = readRegistryOutput(output, logs)
    })
    .withExposedPorts(5000)
    .withWaitStrategy(Wait.forHttp('/v2/', 5000, { abortOnContainerExit: true }).forStatusCode(401))
  const [startedRegistry] = await settle([registry.start()], closers)

  const url = addressOf(startedRegistry, 5000)
  const late = new AbortController()
  const patience = setTimeout(10_000, undefined, { signal: late.signal }).catch(() => undefined)
  const itself = await Promise.race([described, patience])
  late.abort()
  if (!itself) throw new Error(`${images.registry} printed no target object: its command must be ${command}`)
  return {
    registry: { ...itself, url, domain: domain ?? new URL(url).hostname, logs },
    storage: { url: addressOf(startedKubo, 5001) },
    gateway: { url: addressOf(startedKubo, 8080), prefix: 'ipfs', private: false },
    allow: ['gc', 'mutations', 'large'],
  }
}

const command = 'assay serve registry --host 0.0.0.0 --json'

const secret = () => randomBytes(32).toString('base64url')

const addressOf = (container: StartedTestContainer, port: number) =>
  `http://${container.getHost()}:${container.getMappedPort(port)}`

/** Waits for all, so that one that fails leaves none behind that still starts. */
async function settle<const T extends readonly Promise<StartedTestContainer>[]>(
  starting: T,
  closers: Closers,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  for (const outcome of await Promise.allSettled(starting)) {
    if (outcome.status === 'fulfilled') {
      closers.add(() => outcome.value.stop({ remove: true, removeVolumes: true }).then(() => undefined))
    }
  }
  return Promise.all(starting)
}
