import type { Database } from '../database.ts'
import type { TagStore } from '../stores.ts'
import { repositoryOf } from './memory-blobs.ts'
import type { MemoryTables } from './memory-tables.ts'

export function tagStore({ query, within }: Database): TagStore {
  return {
    async list(repository, { limit, last }) {
      if (within) return within((tables) => memoryTags(tables, repository, last, limit))
      const rows = await query<{ name: string }>(
        `select name from tag where repository_id in (select id from repository where name = $1) and name > $2
        order by name limit $3`,
        [repository, last, limit],
      )
      return rows.map(({ name }) => name)
    },
    async remove(repository, tag) {
      const removed = await query(
        `delete from tag where repository_id in (select id from repository where name = $1) and name = $2
        returning id`,
        [repository, tag],
      )
      return removed.length > 0
    },
  }
}

function memoryTags(tables: MemoryTables, repository: string, last: string, limit: number): string[] {
  const id = repositoryOf(tables, repository)
  if (id === undefined) return []
  let left = limit
  const rows = tables.after<{ repository_id: number; name: string }>(
    'tag',
    { repository_id: id, name: last },
    (row) => row.repository_id === id && left-- > 0,
  )
  return rows.map(({ name }) => name)
}
