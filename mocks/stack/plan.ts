import { StackError } from './error.ts'
import type { ServiceName, StackOptions } from './options.ts'

/** The options of a stack with what was left open filled in, and what does not go together refused. */
export interface StackPlan {
  readonly services: ReadonlySet<ServiceName>
  /** Whether the storage node's own ports open. */
  readonly opensStorage: boolean
  readonly host: string
  readonly instances: number
  readonly database: NonNullable<StackOptions['database']>
  /** Metadata and contents belong to a deployment, which nobody but it may take back. */
  readonly deployed: boolean
}

export function planStack(options: StackOptions): StackPlan {
  const { data, storageUrl, instances = 1, host = '127.0.0.1' } = options
  const services = new Set(options.services ?? (['registry', 'storage', 'graphql'] as const))
  if (services.size === 0) throw new StackError('ERR_BAD_OPTION', 'services', 'name at least one service')
  if (!Number.isSafeInteger(instances) || instances < 1) {
    throw new StackError('ERR_BAD_OPTION', 'instances', `instances must be 1 or more, not ${instances}`)
  }
  const database = options.database ?? (data === undefined ? 'pg-mem' : 'embedded')
  if (data !== undefined && database === 'pg-mem' && services.has('registry')) {
    const message = 'pg-mem forgets when it ends: with a data folder take embedded or postgres://'
    throw new StackError('ERR_BAD_OPTION', 'database', message)
  }
  if (!/^(pg-mem|embedded|postgres(ql)?:\/\/.+)$/.test(database)) {
    const message = 'the database must be pg-mem, embedded or postgres://USER:PASSWORD@HOST:PORT/NAME'
    throw new StackError('ERR_BAD_OPTION', 'database', message)
  }
  if (storageUrl !== undefined && !/^https?:$/.test(protocolOf(storageUrl))) {
    throw new StackError(
      'ERR_BAD_OPTION',
      'storageUrl',
      `the storage URL must be http:// or https://, not "${storageUrl}"`,
    )
  }
  return {
    services,
    opensStorage: services.has('storage') && storageUrl === undefined,
    host,
    instances,
    database,
    deployed: database.startsWith('postgres') && storageUrl !== undefined,
  }
}

const protocolOf = (url: string) => (URL.canParse(url) ? new URL(url).protocol : '')
