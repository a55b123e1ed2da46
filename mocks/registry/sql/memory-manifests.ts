import type { Database } from '../database.ts'
import {
  ContentAbsent,
  type Manifest,
  type ManifestStore,
  type NewManifest,
  type Page,
  type Referrer,
} from '../stores.ts'
import { canonicalOf, repositoryMade, repositoryOf } from './memory-blobs.ts'
import type { MemoryTables } from './memory-tables.ts'

interface Held {
  readonly repository_id: number
  readonly manifest_digest: string
  readonly content_type: string
  readonly subject: string | null
  readonly artifact_type: string | null
}

/** The hot paths of the store over pg-mem's indexes; the rest stays SQL. */
export function memoryManifests(sql: ManifestStore, within: NonNullable<Database['within']>): ManifestStore {
  return {
    ...sql,
    find: (repository, reference) => within((tables) => find(tables, repository, reference)),
    put: (repository, manifest, tags) => within((tables) => put(tables, repository, manifest, tags)),
    referrers: (repository, subject, page) =>
      within((tables) => referrers(tables, repository, subject, page)),
  }
}

function find(tables: MemoryTables, repository: string, reference: string): Manifest | undefined {
  const id = repositoryOf(tables, repository)
  if (id === undefined) return undefined
  const digest = reference.includes(':')
    ? reference
    : tables.find<Held>('tag', { repository_id: id, name: reference })?.manifest_digest
  if (digest === undefined) return undefined
  const held = tables.find<Held>('repository_manifest', { repository_id: id, manifest_digest: digest })
  const kept = held && tables.find<{ content: string }>('manifest_content', { digest })
  return held && kept && { digest, contentType: held.content_type, content: kept.content }
}

function absent(tables: MemoryTables, id: number, { blobs, manifests }: NewManifest): string[] {
  const isBlob = (digest: string) =>
    tables.find('repository_blob', { repository_id: id, blob_digest: canonicalOf(tables, digest) }) !==
    undefined
  const isManifest = (digest: string) =>
    tables.find('repository_manifest', { repository_id: id, manifest_digest: digest }) !== undefined
  const lacking = [
    ...blobs.filter((digest) => !isBlob(digest)),
    ...manifests.filter((digest) => !isBlob(digest) && !isManifest(digest)),
  ]
  return [...new Set(lacking)]
}

function put(tables: MemoryTables, repository: string, manifest: NewManifest, tags: readonly string[]): void {
  const id = repositoryMade(tables, repository)
  const { digest, contentType, content, size, annotations, subject, artifactType, blobs } = manifest
  const lacking = manifest.sparse ? [] : absent(tables, id, manifest)
  if (lacking.length > 0) throw new ContentAbsent(lacking)
  if (!tables.find('manifest', { digest })) {
    tables.insert('manifest', { digest, content_type: contentType, data: JSON.parse(content) })
    tables.insert('manifest_content', { digest, content, size, annotations: annotations ?? null })
  }
  const link = { repository_id: id, manifest_digest: digest }
  const about = { content_type: contentType, artifact_type: artifactType ?? null }
  const held = tables.find<Held>('repository_manifest', link)
  if (!held) tables.insert('repository_manifest', { ...link, ...about, subject: subject ?? null })
  else if (held.content_type !== contentType) tables.change('repository_manifest', held, about)
  for (const blob of new Set(blobs.map((name) => canonicalOf(tables, name)))) {
    const used = { manifest_digest: digest, blob_digest: blob }
    if (tables.find('blob', { digest: blob }) && !tables.find('manifest_blob', used)) {
      tables.insert('manifest_blob', used)
    }
  }
  for (const name of new Set(tags)) point(tables, { repository_id: id, name }, digest)
}

function point(tables: MemoryTables, tag: { repository_id: number; name: string }, digest: string): void {
  const known = tables.find<Held>('tag', tag)
  if (!known) tables.insert('tag', { ...tag, manifest_digest: digest })
  else if (known.manifest_digest !== digest) tables.change('tag', known, { manifest_digest: digest })
}

function referrers(
  tables: MemoryTables,
  repository: string,
  subject: string,
  { limit, last, artifactType }: Page & { readonly artifactType?: string },
): Referrer[] {
  const id = repositoryOf(tables, repository)
  return tables
    .all<Held>('repository_manifest', { subject })
    .filter((held) => held.repository_id === id && held.manifest_digest > last)
    .filter((held) => artifactType === undefined || held.artifact_type === artifactType)
    .sort((one, other) => (one.manifest_digest < other.manifest_digest ? -1 : 1))
    .slice(0, limit)
    .map((held) => describe(tables, held))
}

function describe(tables: MemoryTables, held: Held): Referrer {
  const { manifest_digest: digest, content_type: contentType, artifact_type: artifactType } = held
  const kept = tables.find<{ size: number; annotations: string | null }>('manifest_content', { digest })
  return {
    digest,
    contentType,
    size: kept?.size ?? 0,
    ...(artifactType !== null && { artifactType }),
    ...(kept?.annotations != null && { annotations: kept.annotations }),
  }
}
