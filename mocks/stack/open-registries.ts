import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Handler } from '../handler.ts'
import type { Database } from '../registry/database.ts'
import type { Account } from '../registry/registry.ts'
import type { KeyPair } from '../registry/signing-key.ts'
import type { Closers } from './closers.ts'
import type { Parts, PartsOptions } from './parts.ts'

/** What the instances of a registry share. */
export interface Shared {
  readonly database: Database
  readonly storage: Handler
  readonly makeKeyPair?: () => Promise<KeyPair>
}

/** Opens as many registries as are asked for, on one database and one storage node, with one log. */
export async function openRegistries(
  options: PartsOptions,
  shared: Shared,
  closers: Closers,
): Promise<NonNullable<Parts['registry']>> {
  const { createRegistry } = await import('../registry/registry.ts')
  const { passwordCheck } = await import('../registry/passwords.ts')
  const { clock, domain, open, sparse, signingSecret, wrap, wrapStores, wrapLog } = options
  const logs = join(options.folder, 'registry.log')
  const log = wrapLog(openLog(logs, options.log, closers))
  const accounts = accountsOf(options)
  const isRight = passwordCheck(accounts)
  const openOne = async () => {
    const registry = await createRegistry({
      ...shared,
      ...{ clock, accounts, isRight, signingSecret, log },
      decorate: wrapStores,
      ...(domain !== undefined && { domain }),
      ...(open !== undefined && { open }),
      ...(sparse !== undefined && { sparse }),
    })
    closers.add(registry.close)
    return registry
  }
  // The first instance makes the key of the database, and the others find it.
  const first = await openOne()
  const others = await Promise.all(Array.from({ length: options.instances - 1 }, openOne))
  return {
    handles: [first, ...others].map(({ handle }) => wrap('registry', handle)),
    publicKey: first.publicKey,
    signingKey: first.signingKey,
    logs,
  }
}

function accountsOf({ logins }: PartsOptions): Account[] {
  const anywhere = '*'
  const writer = [{ repository: anywhere, actions: ['pull', 'push'] as const }]
  return [
    { ...logins.owner, grants: writer },
    { ...logins.reader, grants: [{ repository: anywhere, actions: ['pull'] }] },
    { ...logins.stranger, grants: [] },
    { ...logins.special, grants: writer },
  ]
}

/** Lines go to the file, and to whoever listens. */
function openLog(file: string, listener: PartsOptions['log'], closers: Closers): (line: string) => void {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 })
  // A full disk takes the log, not the registry.
  stream.on('error', () => undefined)
  closers.add(() => new Promise<void>((resolve) => stream.end(resolve)))
  return (line) => {
    stream.write(`${line}\n`)
    listener?.(line)
  }
}
