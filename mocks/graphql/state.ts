import { randomBytes } from 'node:crypto'
import type { AccessToken } from './access-token.ts'
import type { Deployment } from './deployment.ts'
import type { Invoice, Payment, PaymentMethod, Subscription } from './legacy-billing.ts'
import { Table } from './table.ts'

// Times of all rows are milliseconds since the epoch.

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

export interface Service {
  readonly id: string
  readonly projectId: string
  readonly createdByUserId: string
  readonly type: string
  readonly name: string
  readonly slug: string
  readonly internalHostname: string
  readonly shutdownPriority: number
  readonly flavor?: string
  readonly templateId?: string
  readonly dockerImage?: string
  readonly containerPort?: number
  readonly parentServiceId?: string
  readonly volumes?: unknown
  readonly healthProbe?: unknown
  readonly failoverPolicy?: unknown
  readonly createdAt: number
  readonly updatedAt: number
}

export interface EnvVar {
  readonly id: string
  readonly serviceId: string
  readonly key: string
  readonly value: string
  readonly secret: boolean
  readonly source?: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Port {
  readonly id: string
  readonly serviceId: string
  readonly containerPort: number
  readonly publicPort?: number
  readonly protocol: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Link {
  readonly id: string
  readonly projectId: string
  readonly sourceServiceId: string
  readonly targetServiceId: string
  readonly alias?: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a service that is gone cost while it was there. */
export interface Charge {
  readonly id: string
  readonly user: string
  readonly cents: number
  readonly at: number
}

/** The tables, each by what owns its rows. */
const emptyTables = () => ({
  tokens: new Table<AccessToken>((token) => token.user),
  projects: new Table<Project>((project) => project.user),
  services: new Table<Service>((service) => service.projectId),
  envVars: new Table<EnvVar>((envVar) => envVar.serviceId),
  ports: new Table<Port>((port) => port.serviceId),
  links: new Table<Link>((link) => link.projectId),
  deployments: new Table<Deployment>((deployment) => deployment.serviceId),
  charges: new Table<Charge>((charge) => charge.user),
  paymentMethods: new Table<PaymentMethod>((method) => method.user),
  subscriptions: new Table<Subscription>((subscription) => subscription.user),
  invoices: new Table<Invoice>((invoice) => invoice.user),
  payments: new Table<Payment>((payment) => payment.user),
})

type Tables = ReturnType<typeof emptyTables>

/** Everything that the platform knows. A request works on the state that it found, also when a reset comes between. */
export interface PlatformState extends Readonly<Tables> {
  readonly startedAt: number
  /** Signs sessions. Every copy has its own, so that no session outlives a reset. */
  readonly sessionKey: Uint8Array
}

/** A state without rows. */
export const emptyState = (startedAt: number): PlatformState => ({
  startedAt,
  sessionKey: randomBytes(32),
  ...emptyTables(),
})

/** The same rows in a state of its own. */
export const copyState = (state: PlatformState): PlatformState => ({
  startedAt: state.startedAt,
  sessionKey: randomBytes(32),
  tokens: state.tokens.copy(),
  projects: state.projects.copy(),
  services: state.services.copy(),
  envVars: state.envVars.copy(),
  ports: state.ports.copy(),
  links: state.links.copy(),
  deployments: state.deployments.copy(),
  charges: state.charges.copy(),
  paymentMethods: state.paymentMethods.copy(),
  subscriptions: state.subscriptions.copy(),
  invoices: state.invoices.copy(),
  payments: state.payments.copy(),
})
