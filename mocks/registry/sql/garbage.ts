import type { Clock } from '../../clock.ts'
import type { Database, Queryable } from '../database.ts'
import type { GarbageStore } from '../stores.ts'

/** Longer than any push takes from its pin to its record. */
const graceMs = 3600 * 1000
const claimMs = 10 * 60 * 1000
const atOnce = 1000

/**
 * Rows go `waiting` -> `claimed` -> `collected` -> gone. A push that finds its content `waiting` takes it back; one
 * that finds it `claimed` waits; one that finds it `collected` pins again. Nobody needs to hold a lock while the
 * storage node works.
 */
export function garbageStore({ query, transaction, within }: Database, clock: Clock): GarbageStore {
  return {
    async foresee(cid) {
      const row = { ipfs_cid: cid, state: 'waiting', due_at: clock.now() + graceMs }
      if (within) {
        return within((tables) => {
          if (!tables.find('garbage', { ipfs_cid: cid })) tables.insert('garbage', row)
        })
      }
      await query(
        'insert into garbage (ipfs_cid, state, due_at) values ($1, $2, $3) on conflict (ipfs_cid) do nothing',
        Object.values(row),
      )
    },
    async condemn() {
      const unheld = await query<{ digest: string; ipfs_cid: string }>(
        `select b.digest, b.ipfs_cid from blob b
        left join repository_blob rb on rb.blob_digest = b.digest
        left join manifest_blob mb on mb.blob_digest = b.digest
        where rb.blob_digest is null and mb.blob_digest is null limit ${atOnce}`,
      )
      for (const { digest, ipfs_cid } of unheld) {
        await transaction((within) => condemn(within, digest, ipfs_cid, clock.now() + graceMs))
      }
      await query(
        `delete from garbage where due_at <= $1
        and (state = 'collected' or (state = 'waiting' and ipfs_cid in (select ipfs_cid from blob)))`,
        [clock.now()],
      )
    },
    async claim() {
      const due = await query<{ ipfs_cid: string }>(
        `select ipfs_cid from garbage where state <> 'collected' and due_at <= $1 limit ${atOnce}`,
        [clock.now()],
      )
      const claimed: string[] = []
      for (const { ipfs_cid } of due) {
        const mine = await query(
          `update garbage set state = 'claimed', due_at = $1
          where ipfs_cid = $2 and state <> 'collected' and due_at <= $3
          and $2 not in (select ipfs_cid from blob where ipfs_cid = $2) returning ipfs_cid`,
          [clock.now() + claimMs, ipfs_cid, clock.now()],
        )
        if (mine.length > 0) claimed.push(ipfs_cid)
      }
      return claimed
    },
    async collected(cid) {
      await query("update garbage set state = 'collected', due_at = $1 where ipfs_cid = $2", [
        clock.now() + graceMs,
        cid,
      ])
    },
  }
}

/** Nothing when somebody took hold of the blob meanwhile; then a foreign key stands in the way, or the row is gone. */
async function condemn({ query }: Queryable, digest: string, cid: string, dueAt: number): Promise<void> {
  const free = `$1 not in (select blob_digest from repository_blob where blob_digest = $1)
    and $1 not in (select blob_digest from manifest_blob where blob_digest = $1)`
  const [unheld] = await query(`select digest from blob where digest = $1 and ${free}`, [digest])
  if (!unheld) return
  await query('delete from blob_alias where blob_digest = $1', [digest])
  await query('delete from blob where digest = $1', [digest])
  await query(
    `insert into garbage (ipfs_cid, state, due_at) values ($1, 'waiting', $2)
    on conflict (ipfs_cid) do update set state = 'waiting', due_at = $2`,
    [cid, dueAt],
  )
}

/** Takes content back that a push has just pinned. False when that pin may not last: pin again, then ask again. */
export async function reclaim({ query }: Queryable, cid: string, now: number): Promise<boolean> {
  const [row] = await query<{ state: string; due_at: number }>(
    'select state, due_at from garbage where ipfs_cid = $1 for update',
    [cid],
  )
  if (!row) return true
  if (row.state === 'claimed' && row.due_at > now) return false
  await query('delete from garbage where ipfs_cid = $1', [cid])
  return row.state === 'waiting'
}
