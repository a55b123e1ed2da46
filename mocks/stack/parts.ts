import type { Clock } from '../clock.ts'
import type { Service, WriteLine } from '../control/fault.ts'
import type { Handler } from '../handler.ts'
import type { Stores } from '../registry/stores.ts'
import type { ServiceName, StackOptions } from './options.ts'
import type { StackPlan } from './plan.ts'
import type { AccountName } from './secrets.ts'
import type { Login, PlatformTokens, StartContent } from './targets.ts'

/** What the parts of a stack are made from. */
export interface PartsOptions
  extends Pick<
    StackOptions,
    'storageUrl' | 'data' | 'domain' | 'open' | 'sparse' | 'extensions' | 'seed' | 'log'
  > {
  readonly services: ReadonlySet<ServiceName>
  readonly folder: string
  readonly clock: Clock
  readonly signingSecret: string
  readonly instances: number
  readonly database: StackPlan['database']
  /** Metadata and contents belong to a deployment, and are never reset. */
  readonly deployed: boolean
  readonly logins: Readonly<Record<AccountName, Login>>
  readonly tokens: PlatformTokens
  /** Puts journal and faults in front of a service. */
  wrap(service: Service, real: Handler): Handler
  wrapStores(real: Stores): Stores
  wrapLog(real: WriteLine): WriteLine
}

/** The services of a stack, wrapped, and not yet on any port. */
export interface Parts {
  readonly registry?: {
    /** One for each instance. */
    readonly handles: readonly Handler[]
    readonly publicKey: string
    readonly signingKey: string
    readonly logs: string
  }
  /** Only where its own ports open. */
  readonly storage?: { readonly rpc: Handler; readonly gateway: Handler; readonly prefix: string }
  readonly graphql?: { readonly handle: Handler }
  /** Remembers the state of this moment; the function it resolves to brings it back. Absent where that may not be. */
  snapshot?(): Promise<() => Promise<void>>
  /** Puts in what a registry holds at start, past journal and faults; absent where there is no registry of ours. */
  fill?(): Promise<StartContent>
  close(): Promise<void>
}
