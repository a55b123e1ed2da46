import type { Database } from '../database.ts'
import type { TagStore } from '../stores.ts'

export function tagStore({ query }: Database): TagStore {
  return {
    async list(repository, { limit, last }) {
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
