import type { MemoryTables } from './sql/memory-tables.ts'

/** What a statement takes. Rows come back with the same kinds; a `bigint` column is a number. */
export type Value = string | number | boolean | null

export interface Queryable {
  query<Row extends object>(text: string, values?: readonly Value[]): Promise<Row[]>
}

/** A database with the registry's tables in it. Statements keep to what PostgreSQL and pg-mem both get right. */
export interface Database extends Queryable {
  readonly dialect: 'pg-mem' | 'postgres'
  /** All of `work` or nothing. May run `work` again after a conflict, so it has no other effects. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** All of `work` or nothing, over pg-mem's own tables. Only there. */
  within?<Result>(work: (tables: MemoryTables) => Result): Promise<Result>
  /** Remembers the rows of this moment; the function it resolves to brings them back. */
  snapshot(): Promise<() => Promise<void>>
  /** Whether this error is a conflict with others, which a transaction would have resolved by running again. */
  isConflict(error: unknown): boolean
  close(): Promise<void>
}

/** The embedded default: no server, contents gone with the process. */
export async function openPgMem(): Promise<Database> {
  const { createPgMem } = await import('./sql/pg-mem.ts')
  return createPgMem()
}

/** A real PostgreSQL, by its `postgres://` address. Makes the tables where they are missing. */
export async function openPostgres(connection: string): Promise<Database> {
  const { connectPostgres } = await import('./sql/postgres.ts')
  return connectPostgres(connection)
}
