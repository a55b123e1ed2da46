import type { Database } from '../database.ts'
import { ContentAbsent, type NewManifest } from '../stores.ts'

/**
 * Stores a manifest, its links and its tags in one statement, where PostgreSQL can and the repository is there. Changes
 * nothing and resolves to false otherwise. Rejects with `ContentAbsent`.
 */
export async function putAtOnce(
  { dialect, query, isConflict }: Database,
  repository: string,
  manifest: NewManifest,
  tags: readonly string[],
): Promise<boolean> {
  const { digest, contentType, content, size, blobs, manifests, sparse = false } = manifest
  if (dialect !== 'postgres' || [...blobs, ...manifests].some((one) => !one.startsWith('sha256:'))) {
    return false
  }
  const about = [manifest.annotations ?? null, manifest.subject ?? null, manifest.artifactType ?? null]
  const lists = [blobs, [...new Set(tags)].sort(), manifests].map((list) => JSON.stringify(list))
  try {
    const values = [repository, digest, contentType, content, size, ...about, ...lists, sparse]
    const [row] = await query<{ lacking: string[] | null }>(put, values)
    if (row?.lacking) throw new ContentAbsent(row.lacking)
    return row !== undefined
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

/** Each lookup is lateral, so that it goes by the index also in a plan made while the tables were small. */
const put = `with repo as (
    select id from repository where name = $1 for key share
  ), asked as (
    select name, true as is_blob from json_array_elements_text($9::json) as blob (name) where not $12
    union select name, false from json_array_elements_text($11::json) as either (name) where not $12
  ), held_blob as (
    select found.digest from asked cross join lateral (
      select rb.blob_digest as digest from repository_blob rb
      where rb.repository_id = (select id from repo) and rb.blob_digest = asked.name for key share
    ) found
  ), held_manifest as (
    select found.digest from asked cross join lateral (
      select rm.manifest_digest as digest from repository_manifest rm
      where rm.repository_id = (select id from repo) and rm.manifest_digest = asked.name for key share
    ) found where not is_blob
  ), lacking as (
    select name from asked where name not in (select digest from held_blob)
    and (is_blob or name not in (select digest from held_manifest))
  ), target as (
    select id from repo where not exists (select from lacking)
  ), stored as (
    insert into manifest (digest, content_type, data) select $2, $3, $4::json from target
    on conflict (digest) do nothing
  ), kept as (
    insert into manifest_content (digest, content, size, annotations) select $2, $4, $5, $6 from target
    on conflict (digest) do nothing
  ), held as (
    insert into repository_manifest as rm (repository_id, manifest_digest, content_type, subject, artifact_type)
    select id, $2, $3, $7, $8 from target
    on conflict (repository_id, manifest_digest) do update set content_type = $3, artifact_type = $8
    where (rm.content_type, rm.artifact_type) is distinct from ($3, $8)
  ), linked as (
    insert into manifest_blob (manifest_digest, blob_digest)
    select distinct $2, found.digest from target, json_array_elements_text($9::json) as blob_of (name)
    cross join lateral (select b.digest from blob b where b.digest = blob_of.name limit 1) found
    on conflict (manifest_digest, blob_digest) do nothing
  ), tagged as (
    insert into tag (repository_id, name, manifest_digest)
    select id, asked.name, $2 from target, json_array_elements_text($10::json) as asked (name)
    on conflict (repository_id, name) do update set manifest_digest = $2
  )
  select (select json_agg(distinct name) from lacking) as lacking from repo`
