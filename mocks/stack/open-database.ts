import { join } from 'node:path'
import type { Database } from '../registry/database.ts'
import type { Closers } from './closers.ts'
import { StackError } from './error.ts'
import type { PartsOptions } from './parts.ts'

/** Opens the database that the options name. Rejects with `StackError` where PostgreSQL cannot be had. */
export async function openDatabase(options: PartsOptions, closers: Closers): Promise<Database> {
  try {
    const database = await open(options, closers)
    closers.add(database.close)
    return database
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StackError('ERR_DATABASE', 'database', `the database cannot be used: ${reason}`, error)
  }
}

async function open({ database, data }: PartsOptions, closers: Closers): Promise<Database> {
  const { openPgMem, openPostgres } = await import('../registry/database.ts')
  if (database === 'pg-mem') return openPgMem()
  if (database !== 'embedded') return openPostgres(database)
  const { startEmbeddedPostgres } = await import('../registry/embedded-postgres.ts')
  const postgres = await startEmbeddedPostgres(data === undefined ? undefined : join(data, 'postgres'))
  closers.add(postgres.close)
  return openPostgres(postgres.connection)
}
