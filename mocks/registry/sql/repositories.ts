import type { Database, Queryable } from '../database.ts'
import type { RepositoryStore } from '../stores.ts'
import type { MemoryTables } from './memory-tables.ts'

export function repositoryStore({ query, within }: Database): RepositoryStore {
  return {
    exists: async (name) => (await query('select id from repository where name = $1', [name])).length > 0,
    async list({ limit, last }) {
      if (within) return within((tables) => memoryNames(tables, last, limit))
      const rows = await query<{ name: string }>(
        'select name from repository where name > $1 order by name limit $2',
        [last, limit],
      )
      return rows.map(({ name }) => name)
    },
  }
}

function memoryNames(tables: MemoryTables, last: string, limit: number): string[] {
  let left = limit
  const rows = tables.after<{ name: string }>('repository', { name: last }, () => left-- > 0)
  return rows.map(({ name }) => name)
}

/**
 * The id of a repository, which is made where it is missing. Holds the row against `removing` until the transaction
 * ends, so that a push and a deletion in one repository come one after the other.
 */
export async function repositoryId({ query }: Queryable, name: string): Promise<number> {
  const find = () => query<{ id: number }>('select id from repository where name = $1 for key share', [name])
  const [found] = await find()
  if (found) return found.id
  await query('insert into repository (name) values ($1) on conflict (name) do nothing', [name])
  const [made] = await find()
  if (!made) throw new Error(`the repository ${name} was made and is not there`)
  return made.id
}

/** The id of a repository, with no push under way in it until the transaction ends; undefined when there is none. */
export async function repositoryForRemoval({ query }: Queryable, name: string): Promise<number | undefined> {
  const [found] = await query<{ id: number }>('select id from repository where name = $1 for update', [name])
  return found?.id
}
