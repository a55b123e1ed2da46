import type { Database, Queryable, Value } from '../database.ts'
import { ContentAbsent, type ManifestStore, type NewManifest, type Referrer } from '../stores.ts'
import { putAtOnce } from './manifest-at-once.ts'
import { memoryManifests } from './memory-manifests.ts'
import { repositoryForRemoval, repositoryId } from './repositories.ts'

interface ManifestRow {
  digest: string
  content_type: string
  content: string
}

interface ReferrerRow {
  manifest_digest: string
  content_type: string
  size: number
  artifact_type: string | null
  annotations: string | null
}

const select = `select rm.manifest_digest as digest, rm.content_type, mc.content
  from repository r
  join repository_manifest rm on rm.repository_id = r.id
  join manifest_content mc on mc.digest = rm.manifest_digest`

const byDigest = `${select} where rm.manifest_digest = $1 and r.name = $2`

const byTag = `${select}
  join tag t on t.repository_id = r.id and t.manifest_digest = rm.manifest_digest
  where t.name = $1 and r.name = $2`

export function manifestStore(database: Database): ManifestStore {
  const { query, transaction } = database
  const store: ManifestStore = {
    async find(repository, reference) {
      const [row] = await query<ManifestRow>(reference.includes(':') ? byDigest : byTag, [
        reference,
        repository,
      ])
      return row && { digest: row.digest, contentType: row.content_type, content: row.content }
    },
    async put(repository, manifest, tags) {
      if (await putAtOnce(database, repository, manifest, tags)) return
      await transaction((within) => put(within, repository, manifest, tags))
    },
    remove: (repository, digest) => transaction((within) => remove(within, repository, digest)),
    async referrers(repository, subject, { limit, last, artifactType }) {
      const filter = artifactType === undefined ? '' : 'and rm.artifact_type = $5'
      const rows = await query<ReferrerRow>(
        `select rm.manifest_digest, rm.content_type, mc.size, rm.artifact_type, mc.annotations
        from repository r
        join repository_manifest rm on rm.repository_id = r.id
        join manifest_content mc on mc.digest = rm.manifest_digest
        where rm.subject = $1 and r.name = $2 and rm.manifest_digest > $3 ${filter}
        order by rm.manifest_digest limit $4`,
        [subject, repository, last, limit, ...(artifactType === undefined ? [] : [artifactType])],
      )
      return rows.map(referrer)
    },
  }
  return database.within ? memoryManifests(store, database.within) : store
}

const referrer = (row: ReferrerRow): Referrer => ({
  digest: row.manifest_digest,
  contentType: row.content_type,
  size: row.size,
  ...(row.artifact_type === null ? {} : { artifactType: row.artifact_type }),
  ...(row.annotations === null ? {} : { annotations: row.annotations }),
})

/** `$2, $3, …` for a list that follows one value. pg-mem finds nothing with `= any ($1)`. */
const placeholders = (values: readonly Value[]) => values.map((_, index) => `$${index + 2}`).join(', ')

/** Long lists are asked for in parts: one text, and one plan, for each length would be kept for ever. */
const part = 100

function* parts(digests: readonly string[]): Generator<string[]> {
  const unique = [...new Set(digests)].sort()
  for (let at = 0; at < unique.length; at += part) {
    const next = unique.slice(at, at + part)
    const size = next.length <= 10 ? 10 : part
    yield [...next, ...Array.from<string>({ length: size - next.length }).fill(next[0] ?? '')]
  }
}

/** The digests that the manifest refers to and the repository does not hold. What it holds, it holds until the end. */
async function absent(within: Queryable, repository: string, manifest: NewManifest): Promise<string[]> {
  const { blobs, manifests: either } = manifest
  const held = await holding(within, repository, [...blobs, ...either])
  const manifests = await holdingManifests(within, repository, either)
  const lacking = [
    ...blobs.filter((digest) => !held.has(digest)),
    ...either.filter((digest) => !held.has(digest) && !manifests.has(digest)),
  ]
  return [...new Set(lacking)]
}

/** Those of the digests that are blobs of the repository, under the names that were asked for. */
async function holding(
  { query }: Queryable,
  repository: string,
  digests: readonly string[],
): Promise<Set<string>> {
  const held = new Set<string>()
  for (const some of parts(digests)) {
    const list = placeholders(some)
    const plain = await query<{ digest: string }>(
      `select rb.blob_digest as digest from repository r join repository_blob rb on rb.repository_id = r.id
      where r.name = $1 and rb.blob_digest in (${list}) for key share`,
      [repository, ...some],
    )
    for (const { digest } of plain) held.add(digest)
    if (some.every((digest) => digest.startsWith('sha256:'))) continue
    const aliased = await query<{ digest: string }>(
      `select a.digest from repository r
      join repository_blob rb on rb.repository_id = r.id
      join blob_alias a on a.blob_digest = rb.blob_digest
      where r.name = $1 and a.digest in (${list}) for key share`,
      [repository, ...some],
    )
    for (const { digest } of aliased) held.add(digest)
  }
  return held
}

async function holdingManifests(
  { query }: Queryable,
  repository: string,
  digests: readonly string[],
): Promise<Set<string>> {
  const held = new Set<string>()
  for (const some of parts(digests)) {
    const rows = await query<{ digest: string }>(
      `select rm.manifest_digest as digest from repository r
      join repository_manifest rm on rm.repository_id = r.id
      where r.name = $1 and rm.manifest_digest in (${placeholders(some)}) for key share`,
      [repository, ...some],
    )
    for (const { digest } of rows) held.add(digest)
  }
  return held
}

async function put(
  within: Queryable,
  repository: string,
  manifest: NewManifest,
  tags: readonly string[],
): Promise<void> {
  const { query } = within
  const { digest, contentType, content, size, subject, artifactType, annotations, blobs } = manifest
  const id = await repositoryId(within, repository)
  const lacking = manifest.sparse ? [] : await absent(within, repository, manifest)
  if (lacking.length > 0) throw new ContentAbsent(lacking)
  await query(
    'insert into manifest (digest, content_type, data) values ($1, $2, $3) on conflict (digest) do nothing',
    [digest, contentType, content],
  )
  await query(
    `insert into manifest_content (digest, content, size, annotations) values ($1, $2, $3, $4)
    on conflict (digest) do nothing`,
    [digest, content, size, annotations ?? null],
  )
  await query(
    `insert into repository_manifest (repository_id, manifest_digest, content_type, subject, artifact_type)
    values ($1, $2, $3, $4, $5)
    on conflict (repository_id, manifest_digest) do update set content_type = $3, artifact_type = $5`,
    [id, digest, contentType, subject ?? null, artifactType ?? null],
  )
  for (const blob of await recorded(within, blobs)) {
    await query(
      `insert into manifest_blob (manifest_digest, blob_digest) values ($1, $2)
      on conflict (manifest_digest, blob_digest) do nothing`,
      [digest, blob],
    )
  }
  for (const tag of [...new Set(tags)].sort()) {
    await query(
      `insert into tag (repository_id, name, manifest_digest) values ($1, $2, $3)
      on conflict (repository_id, name) do update set manifest_digest = $3`,
      [id, tag, digest],
    )
  }
}

/** The blobs that are stored at all, by their sha256 names, sorted: a sparse manifest refers to others too. */
async function recorded({ query }: Queryable, digests: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const some of parts(digests)) {
    const list = some.map((_, index) => `$${index + 1}`).join(', ')
    const rows = await query<{ digest: string }>(`select digest from blob where digest in (${list})`, some)
    for (const { digest } of rows) found.add(digest)
    if (some.every((digest) => digest.startsWith('sha256:'))) continue
    const aliases = await query<{ digest: string }>(
      `select blob_digest as digest from blob_alias where digest in (${list})`,
      some,
    )
    for (const { digest } of aliases) found.add(digest)
  }
  return [...found].sort()
}

async function remove(within: Queryable, repository: string, digest: string): Promise<boolean> {
  const { query } = within
  const id = await repositoryForRemoval(within, repository)
  if (id === undefined) return false
  const removed = await query(
    'delete from repository_manifest where manifest_digest = $1 and repository_id = $2 returning manifest_digest',
    [digest, id],
  )
  if (removed.length === 0) return false
  await query('delete from tag where manifest_digest = $1 and repository_id = $2', [digest, id])
  const [elsewhere] = await query(
    'select repository_id from repository_manifest where manifest_digest = $1 limit 1',
    [digest],
  )
  if (elsewhere) return true
  await query('delete from manifest_blob where manifest_digest = $1', [digest])
  await query('delete from manifest_content where digest = $1', [digest])
  await query('delete from manifest where digest = $1', [digest])
  return true
}
