import type { Clock } from '../../clock.ts'
import type { Database, Queryable } from '../database.ts'
import type { Blob, BlobStore, NewBlob } from '../stores.ts'
import { reclaim } from './garbage.ts'
import { memoryBlobs } from './memory-blobs.ts'
import { repositoryId } from './repositories.ts'

interface Row {
  digest: string
  ipfs_cid: string
  size: number
}

const inRepository = `select b.digest, b.ipfs_cid, b.size from blob b
  join repository_blob rb on rb.blob_digest = b.digest
  join repository r on r.id = rb.repository_id
  where b.digest = $1 and r.name = $2`

export function blobStore(database: Database, clock: Clock): BlobStore {
  const { query, transaction } = database
  const store: BlobStore = {
    find: (repository, digest) => find(database, repository, digest),
    async record(repository, blob) {
      if (await recordAtOnce(database, repository, blob)) return 'recorded'
      return transaction((within) => record(within, repository, blob, clock.now()))
    },
    mount: (repository, from, digest) =>
      transaction(async (within) => {
        const blob = await find(within, from, digest, 'for key share')
        if (blob) await link(within, await repositoryId(within, repository), blob.digest)
        return blob
      }),
    async holders(digest, { limit, last }) {
      const rows = await query<{ name: string }>(
        `select r.name from repository r join repository_blob rb on rb.repository_id = r.id
        where rb.blob_digest = $1 and r.name > $2 order by r.name limit $3`,
        [await canonical(database, digest), last, limit],
      )
      return rows.map(({ name }) => name)
    },
    async remove(repository, digest) {
      const removed = await query(
        `delete from repository_blob
        where blob_digest = $1 and repository_id in (select id from repository where name = $2)
        returning blob_digest`,
        [await canonical(database, digest), repository],
      )
      return removed.length > 0
    },
  }
  return database.within ? memoryBlobs(store, database.within) : store
}

async function find(
  on: Queryable,
  repository: string,
  digest: string,
  lock: '' | 'for key share' = '',
): Promise<Blob | undefined> {
  const [row] = await on.query<Row>(`${inRepository} ${lock}`, [await canonical(on, digest), repository])
  return row && { digest: row.digest, cid: row.ipfs_cid, size: row.size }
}

/** The sha256 name of a blob; what is unknown stays as it is. */
async function canonical({ query }: Queryable, digest: string): Promise<string> {
  if (digest.startsWith('sha256:')) return digest
  const [alias] = await query<{ blob_digest: string }>(
    'select blob_digest from blob_alias where digest = $1',
    [digest],
  )
  return alias?.blob_digest ?? digest
}

async function link({ query }: Queryable, repository: number, digest: string): Promise<void> {
  await query(
    `insert into repository_blob (repository_id, blob_digest) values ($1, $2)
    on conflict (repository_id, blob_digest) do nothing`,
    [repository, digest],
  )
}

/**
 * The same as `record` in one statement, for what nearly every push is: a blob for a repository that is there, of
 * content that nobody collects. Changes nothing and resolves to false when it is anything else.
 */
async function recordAtOnce(
  { dialect, query, isConflict }: Database,
  repository: string,
  { digest, cid, size, alias, upload }: NewBlob,
): Promise<boolean> {
  if (dialect !== 'postgres' || alias) return false
  const values = [digest, cid, size, repository, upload?.id ?? null, upload?.size ?? null]
  try {
    return (await query(atOnce, values)).length > 0
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

const atOnce = `with repo as (
    select id from repository where name = $4 for key share
  ), taken as (
    delete from garbage where ipfs_cid = $2 and state = 'waiting' and exists (select from repo)
    and ($5::varchar is null or exists (select from upload where id = $5 and size = $6)) returning ipfs_cid
  ), plain as (
    select id from repo
    where exists (select from taken) or not exists (select from garbage where ipfs_cid = $2)
  ), closed as (
    delete from upload where id = $5 and size = $6 and exists (select from plain) returning id
  ), open as (
    select plain.id from plain where $5::varchar is null or exists (select from closed)
  ), stored as (
    insert into blob (digest, ipfs_cid, size) select $1, $2, $3 from open on conflict (digest) do nothing
  ), linked as (
    insert into repository_blob (repository_id, blob_digest) select id, $1 from open
    on conflict (repository_id, blob_digest) do nothing
  )
  select id from open`

async function record(
  within: Queryable,
  repository: string,
  { digest, cid, size, alias, upload }: NewBlob,
  now: number,
): Promise<'recorded' | 'gone' | 'unpinned'> {
  const { query } = within
  if (!(await reclaim(within, cid, now))) return 'unpinned'
  if (upload) {
    const closed = await query('delete from upload where id = $1 and size = $2 returning id', [
      upload.id,
      upload.size,
    ])
    if (closed.length === 0) return 'gone'
  }
  await query(
    'insert into blob (digest, ipfs_cid, size) values ($1, $2, $3) on conflict (digest) do nothing',
    [digest, cid, size],
  )
  if (alias) {
    await query(
      'insert into blob_alias (digest, blob_digest) values ($1, $2) on conflict (digest) do nothing',
      [alias, digest],
    )
  }
  await link(within, await repositoryId(within, repository), digest)
  return 'recorded'
}
