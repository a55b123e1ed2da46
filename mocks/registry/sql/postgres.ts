import pg from 'pg'
import type { Database, Queryable, Value } from '../database.ts'
import { DatabaseUnavailable } from '../unavailable.ts'
import { schema, tables } from './schema.ts'

/** A conflict that running the transaction again resolves: serialisation, deadlock, unique, foreign key. */
const conflicts = new Set(['40001', '40P01', '23505', '23503'])
const attempts = 5
const int8 = 20

/** Resolves when the tables are there. Rejects with `DatabaseUnavailable` when PostgreSQL is not reached in 10 s. */
export async function connectPostgres(connectionString: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString,
    max: 8,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format),
    },
  })
  // A connection that breaks fails the statement that waits on it, or the next one. Without listeners it would end the
  // process: the pool listens while a connection is idle, nobody between two statements of a transaction.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const names = new Map<string, string>()

  async function run<Row extends object>(
    on: pg.Pool | pg.PoolClient,
    text: string,
    values: readonly Value[],
  ): Promise<Row[]> {
    const name = names.get(text) ?? `s${names.size}`
    names.set(text, name)
    try {
      return (await on.query({ name, text, values: [...values] })).rows
    } catch (error) {
      throw classified(error)
    }
  }

  async function attempt<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw classified(error)
    })
    let broken = false
    try {
      await client.query('begin')
      const result = await work({ query: (text, values = []) => run(client, text, values) })
      await client.query('commit')
      return result
    } catch (error) {
      const reason = classified(error)
      // A database that does not answer would only hold up the rollback too.
      broken = reason instanceof DatabaseUnavailable || !(await rolledBack(client))
      throw reason
    } finally {
      client.release(broken)
    }
  }

  async function transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    for (let left = attempts; ; left -= 1) {
      try {
        return await attempt(work)
      } catch (error) {
        if (left === 1 || !conflicts.has(codeOf(error))) throw error
      }
    }
  }

  await migrate(pool).catch(async (error: unknown) => {
    await pool.end()
    throw classified(error)
  })
  return {
    dialect: 'postgres',
    query: (text, values = []) => run(pool, text, values),
    transaction,
    snapshot: () => snapshot(transaction),
    isConflict: (error) => conflicts.has(codeOf(error)),
    close: () => pool.end(),
  }
}

/** Instances that start together make the tables once: `if not exists` alone is not safe against a race. */
async function migrate(pool: pg.Pool): Promise<void> {
  const statements = ['begin', 'select pg_advisory_xact_lock(7299945)', ...schema, 'commit']
  await pool.query(statements.join(';\n'))
}

const rolledBack = (client: pg.PoolClient) =>
  client.query('rollback').then(
    () => true,
    () => false,
  )

async function snapshot(transaction: Database['transaction']): Promise<() => Promise<void>> {
  const rows = await transaction(async ({ query }) => {
    const copies = new Map<string, string>()
    for (const table of tables) {
      const [copy] = await query<{ rows: string }>(
        `select coalesce(json_agg(t), '[]'::json)::text as rows from ${table} t`,
      )
      copies.set(table, copy?.rows ?? '[]')
    }
    return copies
  })
  return () =>
    transaction(async ({ query }) => {
      await query(`truncate ${tables.join(', ')}`)
      for (const table of tables) {
        await query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
          rows.get(table) ?? '[]',
        ])
      }
    })
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

/** PostgreSQL's own classes 08 (connection), 53 (resources), 57 (intervention), and what the socket and the pool say. */
function classified(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error
  const code = codeOf(error)
  const lost = /^(08|53|57)|^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_)|^ENOENT$|^ENOTFOUND$/.test(code)
  const message = error instanceof Error ? error.message : String(error)
  if (lost || (code === '' && /timeout|terminated|not queryable|Connection ended/i.test(message))) {
    return new DatabaseUnavailable(`the database does not answer: ${message}`, { cause: error })
  }
  return error
}
