import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { StartedTestContainer } from 'testcontainers'
import type { Closers } from '../../mocks/stack/closers.ts'
import { openDataFolder } from '../../mocks/stack/data-folder.ts'
import type { Targets } from '../../mocks/stack/targets.ts'
import { type ContainerGroup, ContainerStartError, openContainerGroup } from './container-group.ts'
import { loadTestcontainers } from './load-testcontainers.ts'
import { addressOf, type RegistryContainer, registryContainer } from './registry-container.ts'
import { readRegistryOutput } from './registry-output.ts'

export interface RegistryStackOptions {
  readonly images: {
    /** Has `assay` as its entry point, as the image that the repository's `Dockerfile` builds. */
    readonly registry: string
    /** With the settings of Docker's official image; `postgres:17` unless told. */
    readonly postgres?: string
    /** With the command line, ports and `/container-init.d` of Kubo's official image; `ipfs/kubo:v0.42.0` unless told. */
    readonly kubo?: string
  }
  /** How many registries share the database and the storage node; 1 unless told. */
  readonly instances?: number
  /** At least 32 characters; the logins follow from it. A random one unless told. */
  readonly signingSecret?: string
  /** What `iss` and `aud` of the tokens are; the realm is then `https://DOMAIN/token`. Unless told: the host asked. */
  readonly domain?: string
}

/** The containers of a stack once all answer. */
export interface Containers {
  readonly registries: readonly RegistryContainer[]
  /** Where everything is at present, and how to get in. */
  targets(): Targets
}

/** Starts the containers and hands what ends them to `closers`, also when it rejects. */
export async function startContainers(options: RegistryStackOptions, closers: Closers): Promise<Containers> {
  const { images, instances = 1, domain, signingSecret = secret() } = options
  if (!Number.isSafeInteger(instances) || instances < 1) {
    throw new RangeError(`instances must be 1 or more, not ${instances}`)
  }
  const folder = await openDataFolder(undefined)
  closers.add(folder.release)
  const password = secret()
  const group = await openContainerGroup(closers, [password, signingSecret])

  const ipfs = await startStores(group, images, password)
  const logs = join(folder.path, 'registry.log')
  const settings = {
    REGISTRY_DB_HOST: 'postgres',
    REGISTRY_DB_PASSWORD: password,
    REGISTRY_DFS_STORAGE_API_URL: 'http://ipfs:5001',
    REGISTRY_SIGNING_SECRET: signingSecret,
    ...(domain !== undefined && { REGISTRY_DOMAIN: domain }),
  }
  const { itself, registries } = await startRegistries(group, {
    image: images.registry,
    instances,
    settings,
    logs,
  })
  return {
    registries,
    targets() {
      const [url = '', ...others] = registries.map((registry) => registry.url)
      return {
        registry: {
          ...itself,
          url,
          ...(others.length > 0 && { instances: others }),
          domain: domain ?? new URL(url).hostname,
          logs,
        },
        storage: { url: addressOf(ipfs, 5001) },
        gateway: { url: addressOf(ipfs, 8080), prefix: 'ipfs', private: false },
        allow: ['gc', 'mutations', 'large'],
      }
    },
  }
}

const secret = () => randomBytes(32).toString('base64url')

/** The specification's limits of the storage node; Kubo's image runs what lies in `/container-init.d`. */
const storageLimits = `ipfs config Datastore.StorageMax 100GB
ipfs config --json Datastore.StorageGCWatermark 90
ipfs config Datastore.GCPeriod 1h
`

/** Starts the database and the storage node, and resolves to the latter. */
async function startStores(
  group: ContainerGroup,
  images: RegistryStackOptions['images'],
  password: string,
): Promise<StartedTestContainer> {
  const { Wait } = await loadTestcontainers()
  const postgres = group
    .container(images.postgres ?? 'postgres:17', 'postgres')
    .withEnvironment({ POSTGRES_PASSWORD: password, POSTGRES_DB: 'open_registry' })
    // Over TCP: the server that the official image runs while it sets itself up has only a socket.
    .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready -h 127.0.0.1 -U postgres -d open_registry'))
  const ipfs = group
    .container(images.kubo ?? 'ipfs/kubo:v0.42.0', 'ipfs')
    .withEnvironment({ IPFS_PROFILE: 'server' })
    .withCopyContentToContainer([{ content: storageLimits, target: '/container-init.d/limits.sh' }])
    // Nothing that a test stores is told to other nodes.
    .withCommand(['daemon', '--migrate=true', '--offline', '--enable-gc'])
    .withExposedPorts(5001, 8080)
    .withWaitStrategy(Wait.forHttp('/api/v0/id', 5001, { abortOnContainerExit: true }).withMethod('POST'))
  const [node] = await group.start([ipfs, postgres])
  if (!node) throw new ContainerStartError('no storage node was started')
  return node
}

interface Registries {
  readonly image: string
  readonly instances: number
  readonly settings: Readonly<Record<string, string>>
  /** The file that takes the log of all of them. */
  readonly logs: string
}

/** Starts the registries side by side; the first that is up tells how to get into all of them. */
async function startRegistries(group: ContainerGroup, { image, instances, settings, logs }: Registries) {
  const { Wait } = await loadTestcontainers()
  const described: ReturnType<typeof readRegistryOutput>[] = []
  const containers = Array.from({ length: instances }, (_, i) =>
    group
      .container(image, 'registry', `registry ${i + 1}`, (output) =>
        described.push(readRegistryOutput(output, logs)),
      )
      .withEnvironment(settings)
      .withCommand(['serve', 'registry', '--host', '0.0.0.0', '--json'])
      .withExposedPorts(5000)
      .withWaitStrategy(Wait.forHttp('/v2/', 5000, { abortOnContainerExit: true }).forStatusCode(401)),
  )
  const started = await group.start(containers)
  const late = new AbortController()
  const patience = setTimeout(10_000, undefined, { signal: late.signal }).catch(() => undefined)
  const itself = await Promise.race([...described, patience])
  late.abort()
  if (!itself)
    throw new ContainerStartError(`${image} printed no target object: its entry point must be assay`)
  const registries = started.map((container) =>
    registryContainer(container, (output) => void readRegistryOutput(output, logs)),
  )
  return { itself, registries }
}
