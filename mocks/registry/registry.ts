import type { Clock } from '../clock.ts'
import type { Handler } from '../handler.ts'
import type { Grant } from './access.ts'
import { blobRoutes } from './blobs.ts'
import { catalogRoutes } from './catalog.ts'
import { contentStore } from './content.ts'
import type { Database } from './database.ts'
import { createDrain } from './drain.ts'
import { createLog } from './log.ts'
import { manifestRoutes } from './manifests.ts'
import { type PasswordCheck, passwordCheck } from './passwords.ts'
import { pingRoutes } from './ping.ts'
import { referrerRoutes } from './referrers.ts'
import { createRouter } from './router.ts'
import { type KeyPair, signingKey } from './signing-key.ts'
import { blobStore } from './sql/blobs.ts'
import { garbageStore } from './sql/garbage.ts'
import { manifestStore } from './sql/manifests.ts'
import { repositoryStore } from './sql/repositories.ts'
import { tagStore } from './sql/tags.ts'
import { uploadStore } from './sql/uploads.ts'
import type { Stores } from './stores.ts'
import { sweeping } from './sweep.ts'
import { tagRoutes } from './tags.ts'
import { createThrottle } from './throttle.ts'
import { tokenRoutes } from './token.ts'
import { tokenStore } from './tokens.ts'
import { uploadRoutes } from './uploads.ts'

export type { Grant } from './access.ts'

export interface Account {
  readonly username: string
  readonly password: string
  readonly grants: readonly Grant[]
}

export interface RegistryOptions {
  /** With the registry's tables; several instances may share one. */
  readonly database: Database
  /** Kubo's RPC: requests go to `http://storage/api/v0/…`. */
  readonly storage: Handler
  readonly clock: Clock
  readonly accounts: readonly Account[]
  /** Issuer and audience of tokens, and the host of the https realm. Without it they come from the request's Host. */
  readonly domain?: string
  /** At least 32 characters, the same for all instances of a database. */
  readonly signingSecret: string
  /** Who has which password; instances of one process may share it. Made from the accounts unless told. */
  readonly isRight?: PasswordCheck
  /** Makes the key pair of a database that has none; for whoever began with it early. */
  readonly makeKeyPair?: () => Promise<KeyPair>
  /** No authentication: everybody may do everything. */
  readonly open?: boolean
  /** Accept manifests that refer to content which is not there. */
  readonly sparse?: boolean
  /** How long the storage node may take for one step of a transfer; 30 s unless told. */
  readonly patienceMs?: number
  /** Takes one line of JSON per event (specification 2.4). */
  readonly log?: (line: string) => void
  /** Puts something between the endpoints and their stores. */
  readonly decorate?: (stores: Stores) => Stores
}

export interface Registry {
  readonly handle: Handler
  /** PEM, SPKI. */
  readonly publicKey: string
  /** PEM, PKCS 8. */
  readonly signingKey: string
  /** Lets transfers under way end; new requests are answered 503. The database stays open. */
  close(): Promise<void>
}

const uploadLifetimeMs = 24 * 3600 * 1000

/** Rejects with `SigningSecretError` when the secret is too short, or not the one that the database knows. */
export async function createRegistry(options: RegistryOptions): Promise<Registry> {
  const { database, clock, accounts, open = false, sparse = false } = options
  const key = await signingKey(database, options.signingSecret, options.makeKeyPair)
  const log = createLog(clock, options.log ?? (() => undefined))
  const own: Stores = {
    repositories: repositoryStore(database),
    blobs: blobStore(database, clock),
    manifests: manifestStore(database),
    tags: tagStore(database),
    garbage: garbageStore(database, clock),
    uploads: uploadStore(database, clock, uploadLifetimeMs),
    content: contentStore(options.storage, options.patienceMs),
    tokens: tokenStore(key, clock),
  }
  const stores = options.decorate?.(own) ?? own
  const grants = new Map(accounts.map((account) => [account.username, account.grants]))
  const grantsOf = (username: string) => grants.get(username)
  const throttle = open ? undefined : createThrottle(clock)
  const { isRight = passwordCheck(accounts) } = options
  const drain = createDrain()
  const sweep = sweeping(stores, clock, log)
  const router = createRouter({
    routes: [
      ...pingRoutes,
      ...tokenRoutes({ tokens: stores.tokens, isRight, grantsOf, throttle }),
      ...catalogRoutes({ ...stores, grantsOf }),
      ...uploadRoutes({ ...stores, grantsOf }),
      ...blobRoutes(stores),
      ...manifestRoutes({ ...stores, sparse }),
      ...tagRoutes(stores),
      ...referrerRoutes(stores),
    ],
    tokens: stores.tokens,
    grantsOf,
    domain: options.domain,
    open,
    now: clock.now,
    log,
  })
  return {
    handle: drain.around(router),
    publicKey: key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    signingKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    async close() {
      sweep.stop()
      await drain.finish()
    },
  }
}
