import { type Closers, createClosers } from './closers.ts'
import { openDatabase } from './open-database.ts'
import { openRegistries, type Shared } from './open-registries.ts'
import { openStorage } from './open-storage.ts'
import type { Parts, PartsOptions } from './parts.ts'

/** Opens the services that are asked for; what is not asked for is not even imported. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const closers = createClosers()
  try {
    return await open(options, closers)
  } catch (error) {
    await closers.close().catch(() => undefined)
    throw error
  }
}

async function open(options: PartsOptions, closers: Closers): Promise<Parts> {
  const { services, wrap, deployed } = options
  const keyPair = services.has('registry') ? await beginKeyPair(options, closers) : {}
  const stores = services.has('registry') || services.has('storage')
  // A registry's parts are waited for in turn, so that one that fails leaves none behind that is still opening.
  const opening = {
    storage: stores ? openStorage(options, closers) : undefined,
    database: services.has('registry') ? openDatabase(options, closers) : undefined,
    platform: services.has('graphql') ? openPlatform(options, closers) : undefined,
  }
  await Promise.allSettled(Object.values(opening))
  const [storage, database, platform] = [
    await opening.storage,
    await opening.database,
    await opening.platform,
  ]
  const rpc = storage && wrap('storage', storage.rpc)
  const registry =
    rpc && database && (await openRegistries(options, { database, storage: rpc, ...keyPair }, closers))

  const snapshot = async () => {
    const restore = await database?.snapshot()
    return async () => {
      platform?.reset()
      await Promise.all([restore?.(), storage?.reset()])
    }
  }
  const fill = async () => {
    if (!storage || !database) return []
    const { storeStartContent } = await import('./start-content.ts')
    const content = storeStartContent({ database, storage: storage.rpc, clock: options.clock })
    // A real node may come up later than its registry.
    return options.storageUrl === undefined ? content : content.catch(() => [])
  }
  return {
    ...(registry && { registry }),
    ...(registry && !deployed && { fill }),
    ...(rpc &&
      storage.gateway &&
      services.has('storage') && {
        storage: { rpc, gateway: wrap('gateway', storage.gateway), prefix: storage.prefix },
      }),
    ...(platform && { graphql: { handle: wrap('graphql', platform.handle) } }),
    ...(!deployed && { snapshot }),
    close: closers.close,
  }
}

/** Has another thread make the key of a new database, while this one loads and opens the rest. */
async function beginKeyPair(
  { database, data }: PartsOptions,
  closers: Closers,
): Promise<Pick<Shared, 'makeKeyPair'>> {
  const isNew = database === 'pg-mem' || (database === 'embedded' && data === undefined)
  if (!isNew) return {}
  const { borrowKeyPair } = await import('./key-pool.ts')
  const borrowed = borrowKeyPair(closers)
  return { makeKeyPair: () => borrowed }
}

const oneProjectEach = {
  projects: [
    { user: 'owner', name: 'hello' },
    { user: 'other', name: 'elsewhere' },
  ],
}

async function openPlatform({ clock, tokens, extensions, seed }: PartsOptions, closers: Closers) {
  const { createPlatform } = await import('../graphql/platform.ts')
  const platform = await createPlatform({
    clock,
    tokens: [
      { token: tokens.valid, user: 'owner', state: 'valid' },
      { token: tokens.other, user: 'other', state: 'valid' },
      { token: tokens.expired, user: 'owner', state: 'expired' },
      { token: tokens.revoked, user: 'owner', state: 'revoked' },
    ],
    seed: seed ?? oneProjectEach,
    ...(extensions && { extensions }),
  })
  closers.add(platform.close)
  return platform
}
