import type { Database } from '../database.ts'
import type { NewManifest } from '../stores.ts'

/**
 * Stores a manifest, its links and its tags in one statement, where PostgreSQL can and the repository is there. Changes
 * nothing and resolves to false otherwise.
 */
export async function putAtOnce(
  { dialect, query, isConflict }: Database,
  repository: string,
  { digest, contentType, content, size, annotations, subject, artifactType, blobs }: NewManifest,
  tags: readonly string[],
): Promise<boolean> {
  if (dialect !== 'postgres' || blobs.some((blob) => !blob.startsWith('sha256:'))) return false
  const about = [annotations ?? null, subject ?? null, artifactType ?? null]
  const lists = [JSON.stringify(blobs), JSON.stringify([...new Set(tags)].sort())]
  try {
    return (await query(put, [repository, digest, contentType, content, size, ...about, ...lists])).length > 0
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

const put = `with repo as (
    select id from repository where name = $1 for key share
  ), stored as (
    insert into manifest (digest, content_type, data) select $2, $3, $4::json from repo
    on conflict (digest) do nothing
  ), kept as (
    insert into manifest_content (digest, content, size, annotations) select $2, $4, $5, $6 from repo
    on conflict (digest) do nothing
  ), held as (
    insert into repository_manifest as rm (repository_id, manifest_digest, content_type, subject, artifact_type)
    select id, $2, $3, $7, $8 from repo
    on conflict (repository_id, manifest_digest) do update set content_type = $3, artifact_type = $8
    where (rm.content_type, rm.artifact_type) is distinct from ($3, $8)
  ), linked as (
    insert into manifest_blob (manifest_digest, blob_digest)
    select $2, digest from repo, blob where digest in (select json_array_elements_text($9::json))
    on conflict (manifest_digest, blob_digest) do nothing
  ), tagged as (
    insert into tag (repository_id, name, manifest_digest)
    select id, asked.name, $2 from repo, json_array_elements_text($10::json) as asked (name)
    on conflict (repository_id, name) do update set manifest_digest = $2
  )
  select id from repo`

/** The digests among these that the repository does not hold, in one statement. */
export async function absentAtOnce(
  { query }: Database,
  repository: string,
  { blobs, either }: { blobs: readonly string[]; either: readonly string[] },
): Promise<string[]> {
  const rows = await query<{ digest: string }>(absent, [
    repository,
    JSON.stringify(blobs),
    JSON.stringify(either),
  ])
  return rows.map(({ digest }) => digest)
}

const isHeld = `exists (
    select from repository_blob rb join repository r on r.id = rb.repository_id and r.name = $1
    where rb.blob_digest = asked.name or rb.blob_digest = (select a.blob_digest from blob_alias a where a.digest = asked.name)
  )`

const absent = `select asked.name as digest from json_array_elements_text($2::json) as asked (name) where not ${isHeld}
  union all
  select asked.name from json_array_elements_text($3::json) as asked (name) where not ${isHeld} and not exists (
    select from repository_manifest rm join repository r on r.id = rm.repository_id and r.name = $1
    where rm.manifest_digest = asked.name
  )`
