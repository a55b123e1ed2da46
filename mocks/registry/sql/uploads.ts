import type { Clock } from '../../clock.ts'
import type { Database } from '../database.ts'
import type { Chunk, Upload, UploadStore } from '../stores.ts'
import { memoryUploads } from './memory-uploads.ts'

interface ChunkRow {
  start: number
  size: number
  ipfs_cid: string
  sha256: string
  sha512: string | null
}

/** Sessions end `lifetimeMs` after their last chunk. */
export function uploadStore(database: Database, clock: Clock, lifetimeMs: number): UploadStore {
  const { query, transaction } = database
  const store: UploadStore = {
    async open({ id, repository, algorithm }) {
      await query(
        'insert into upload (id, repository, algorithm, size, expires_at) values ($1, $2, $3, 0, $4)',
        [id, repository, algorithm, clock.now() + lifetimeMs],
      )
    },
    async find(repository, id) {
      const [row] = await query<Upload>(
        'select id, repository, algorithm, size from upload where id = $1 and repository = $2 and expires_at > $3',
        [id, repository, clock.now()],
      )
      return row
    },
    async chunks(id) {
      const rows = await query<ChunkRow>(
        'select start, size, ipfs_cid, sha256, sha512 from upload_chunk where upload_id = $1 order by start',
        [id],
      )
      return rows.map(({ ipfs_cid, sha512, ...row }) => ({
        ...row,
        cid: ipfs_cid,
        ...(sha512 === null ? {} : { sha512 }),
      }))
    },
    append: (id, chunk) =>
      transaction(async (within) => {
        const moved = await within.query(
          'update upload set size = $1, expires_at = $2 where id = $3 and size = $4 returning id',
          [chunk.start + chunk.size, clock.now() + lifetimeMs, id, chunk.start],
        )
        if (moved.length === 0) return false
        await within.query(
          'insert into upload_chunk (upload_id, start, size, ipfs_cid, sha256, sha512) values ($1, $2, $3, $4, $5, $6)',
          row(id, chunk),
        )
        return true
      }),
    async cancel(repository, id) {
      const dropped = await query('delete from upload where id = $1 and repository = $2 returning id', [
        id,
        repository,
      ])
      return dropped.length > 0
    },
    async expire() {
      return (await query('delete from upload where expires_at <= $1 returning id', [clock.now()])).length
    },
  }
  return database.within ? memoryUploads(store, database.within, clock, lifetimeMs) : store
}

const row = (id: string, { start, size, cid, sha256, sha512 }: Chunk) => [
  id,
  start,
  size,
  cid,
  sha256,
  sha512 ?? null,
]
