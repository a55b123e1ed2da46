import type { Database } from '../database.ts'
import type { Blob, BlobStore, NewBlob } from '../stores.ts'
import type { MemoryTables } from './memory-tables.ts'

interface BlobRow {
  readonly digest: string
  readonly ipfs_cid: string
  readonly size: number
}

type Within = NonNullable<Database['within']>

/** The hot paths of the store over pg-mem's indexes; the rest stays SQL. */
export function memoryBlobs(sql: BlobStore, within: Within): BlobStore {
  return {
    ...sql,
    find: (repository, digest) => within((tables) => find(tables, repository, digest)),
    async record(repository, blob) {
      const outcome = await within((tables) => record(tables, repository, blob))
      return outcome ?? sql.record(repository, blob)
    },
    mount: (repository, from, digest) =>
      within((tables) => {
        const blob = find(tables, from, digest)
        if (blob) link(tables, repository, blob.digest)
        return blob
      }),
  }
}

export const repositoryOf = (tables: MemoryTables, name: string) =>
  tables.find<{ id: number }>('repository', { name })?.id

/** The id of a repository, which is made where it is missing. */
export function repositoryMade(tables: MemoryTables, name: string): number {
  const found = repositoryOf(tables, name)
  if (found !== undefined) return found
  tables.insert('repository', { name })
  return repositoryMade(tables, name)
}

export const canonicalOf = (tables: MemoryTables, digest: string) =>
  digest.startsWith('sha256:')
    ? digest
    : (tables.find<{ blob_digest: string }>('blob_alias', { digest })?.blob_digest ?? digest)

function find(tables: MemoryTables, repository: string, name: string): Blob | undefined {
  const id = repositoryOf(tables, repository)
  const digest = canonicalOf(tables, name)
  if (id === undefined || !tables.find('repository_blob', { repository_id: id, blob_digest: digest })) {
    return undefined
  }
  const row = tables.find<BlobRow>('blob', { digest })
  return row && { digest, cid: row.ipfs_cid, size: row.size }
}

/** Undefined, and nothing done, while the content is being collected: SQL does that. */
function record(tables: MemoryTables, repository: string, blob: NewBlob): 'recorded' | 'gone' | undefined {
  const { digest, cid, size, alias, upload } = blob
  const condemned = tables.find<{ state: string }>('garbage', { ipfs_cid: cid })
  if (condemned && condemned.state !== 'waiting') return undefined
  if (upload) {
    const session = tables.find<{ size: number }>('upload', { id: upload.id })
    if (session?.size !== upload.size) return 'gone'
    tables.remove('upload', session)
  }
  if (condemned) tables.remove('garbage', condemned)
  if (!tables.find('blob', { digest })) tables.insert('blob', { digest, ipfs_cid: cid, size })
  if (alias !== undefined && !tables.find('blob_alias', { digest: alias })) {
    tables.insert('blob_alias', { digest: alias, blob_digest: digest })
  }
  link(tables, repository, digest)
  return 'recorded'
}

function link(tables: MemoryTables, repository: string, digest: string): void {
  const row = { repository_id: repositoryMade(tables, repository), blob_digest: digest }
  if (!tables.find('repository_blob', row)) tables.insert('repository_blob', row)
}
