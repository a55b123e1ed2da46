import type { FaultTable } from '../control/faults.ts'
import type { PlatformSeed } from '../graphql/seed.ts'

export type ServiceName = 'registry' | 'storage' | 'graphql'

/** Every port that a stack opens; `gateway` belongs to the service `storage`. */
export type PortName = ServiceName | 'gateway'

export interface StackOptions {
  /** All unless told. The storage node's ports open only for `storage`, though a registry always has one inside. */
  readonly services?: readonly ServiceName[]
  /** 0, any free port, unless told. */
  readonly ports?: Partial<Record<PortName, number>>
  /** Where the ports are bound; 127.0.0.1 unless told. */
  readonly host?: string
  /** Where the registry keeps its metadata; pg-mem unless told, `embedded` where `data` is given. */
  readonly database?: 'pg-mem' | 'embedded' | `postgres://${string}` | `postgresql://${string}`
  /** The RPC address of a real Kubo, used instead of the mock. */
  readonly storageUrl?: string
  /** A folder that keeps the contents. Without it everything lies in a temporary folder that `close` removes. */
  readonly data?: string
  /** How many registries run side by side on one database and one storage node; 1 unless told. */
  readonly instances?: number
  /** The registry asks for no login. */
  readonly open?: boolean
  /** The registry accepts manifests whose blobs are absent. */
  readonly sparse?: boolean
  /** What `iss` and `aud` of the registry's tokens are; the host that a client names unless told, without its port. */
  readonly domain?: string
  /** At least 32 characters; made unless told. */
  readonly signingSecret?: string
  /** What the platform's schema offers beyond the specification's resources; nothing unless told. */
  readonly extensions?: readonly ('compat' | 'legacy')[]
  /** What the platform has from the start; a project for each of its users unless told. */
  readonly seed?: PlatformSeed
  /** The faults that can be switched on; none unless told. */
  readonly faults?: FaultTable
  /** The faults that are on from the start, the last one outermost. */
  readonly active?: readonly string[]
  /** The same number gives the same passwords, tokens and keys of derivation. */
  readonly random?: number
  /** Opens the control surface to clients beyond loopback that send it as a Bearer token. */
  readonly controlToken?: string
  /** Gets each line of the registry's log, which also goes to the file that the target object names. */
  readonly log?: (line: string) => void
}
