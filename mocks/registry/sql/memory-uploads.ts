import type { Clock } from '../../clock.ts'
import type { Database } from '../database.ts'
import type { Chunk, Upload, UploadStore } from '../stores.ts'
import type { MemoryTables } from './memory-tables.ts'

interface UploadRow extends Upload {
  readonly expires_at: number
}

interface ChunkRow {
  readonly upload_id: string
  readonly start: number
  readonly size: number
  readonly ipfs_cid: string
  readonly sha256: string
  readonly sha512: string | null
}

/** The hot paths of the store over pg-mem's indexes; the rest stays SQL. */
export function memoryUploads(
  sql: UploadStore,
  within: NonNullable<Database['within']>,
  clock: Clock,
  lifetimeMs: number,
): UploadStore {
  return {
    ...sql,
    open: ({ id, repository, algorithm }) =>
      within((tables) =>
        tables.insert('upload', { id, repository, algorithm, size: 0, expires_at: clock.now() + lifetimeMs }),
      ),
    find: (repository, id) =>
      within((tables) => {
        const found = tables.find<UploadRow>('upload', { id })
        if (!found || found.repository !== repository || found.expires_at <= clock.now()) return undefined
        const { algorithm, size } = found
        return { id, repository, algorithm, size }
      }),
    chunks: (id) => within((tables) => chunks(tables, id)),
    append: (id, chunk) =>
      within((tables) => {
        const found = tables.find<UploadRow>('upload', { id })
        if (found?.size !== chunk.start) return false
        tables.change('upload', found, {
          size: chunk.start + chunk.size,
          expires_at: clock.now() + lifetimeMs,
        })
        const { cid: ipfs_cid, sha512 = null, ...rest } = chunk
        tables.insert('upload_chunk', { upload_id: id, ipfs_cid, sha512, ...rest })
        return true
      }),
  }
}

function chunks(tables: MemoryTables, id: string): Chunk[] {
  return tables
    .after<ChunkRow>('upload_chunk', { upload_id: id, start: -1 }, ({ upload_id }) => upload_id === id)
    .map(({ start, size, ipfs_cid: cid, sha256, sha512 }) => ({
      start,
      size,
      cid,
      sha256,
      ...(sha512 !== null && { sha512 }),
    }))
}
