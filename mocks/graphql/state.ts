import { randomBytes } from 'node:crypto'
import type { AccessToken } from './access-token.ts'
import { Table } from './table.ts'

/** Times of all rows are milliseconds since the epoch. */
export interface Project {
  readonly id: string
  readonly user: string
  readonly name: string
  readonly slug: string
  readonly avatar?: string
  readonly backupStorageOnArweave: boolean
  readonly backupStorageOnFilecoin: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** Everything that the platform knows. A request works on the state that it found, also when a reset comes between. */
export class PlatformState {
  /** Signs sessions. Every copy has its own, so that no session outlives a reset. */
  readonly sessionKey: Uint8Array = randomBytes(32)
  readonly tokens: Table<AccessToken>
  readonly projects: Table<Project>

  constructor(from?: PlatformState) {
    this.tokens = from?.tokens.copy() ?? new Table((token) => token.user)
    this.projects = from?.projects.copy() ?? new Table((project) => project.user)
  }

  /** The same rows in a state of its own. */
  copy(): PlatformState {
    return new PlatformState(this)
  }
}
