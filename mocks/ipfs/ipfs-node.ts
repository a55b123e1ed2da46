/** What all commands and the gateway of one storage node share. */
import type { Clock } from '../clock.ts'
import type { Identity } from './identity.ts'
import type { ImportWorker } from './import/import-worker.ts'
import type { CollectionLock } from './store/collection-lock.ts'
import type { Repo } from './store/repo.ts'

export interface IpfsNode {
  readonly repo: Repo
  readonly lock: CollectionLock
  readonly identity: Identity
  readonly clock: Clock
  readonly limits: Limits
  readonly worker: ImportWorker
}

export interface Limits {
  /** Bytes. Soft, as on Kubo: nothing is refused for it. */
  readonly storageMax: number
  /** Percent of `storageMax` above which a tick of the clock collects. */
  readonly gcWatermark: number
  readonly gcPeriodMs: number
}
