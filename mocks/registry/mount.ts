import { allows, type Scope } from './access.ts'
import type { Call } from './call.ts'
import { digestInvalid, type Refusal } from './errors.ts'
import { isDigest, isRepositoryName } from './names.ts'
import type { BlobStore } from './stores.ts'

/** How many repositories are looked at for one that the caller may read, when it names none. */
const candidates = 1000

/** Reading the source is asked for in the same challenge, so that one token serves for the mount. */
export function mountSource({ target }: Call): Scope[] {
  const [from] = target.query.get('from') ?? []
  return from !== undefined && isRepositoryName(from) ? [{ repository: from, actions: ['pull'] }] : []
}

/**
 * Mounts a blob from another repository, or from any that the caller's token reads when `from` is left out. Undefined
 * when no mount is asked for or none can be had: then the request starts an upload.
 */
export async function mountBlob(call: Call, blobs: BlobStore): Promise<Response | Refusal | undefined> {
  const { target, repository, log, since } = call
  const [digest] = target.query.get('mount') ?? []
  if (digest === undefined) return undefined
  if (!isDigest(digest)) return digestInvalid('the digest is malformed', { digest })
  const source = await readableSource(call, digest, blobs)
  const blob = source === undefined ? undefined : await blobs.mount(repository, source, digest)
  if (!blob) return undefined
  log({ event: 'blob_mount', repository, digest, cid: blob.cid, size: blob.size, since })
  return new Response(null, {
    status: 201,
    headers: { Location: `/v2/${repository}/blobs/${digest}`, 'Docker-Content-Digest': digest },
  })
}

async function readableSource({ target, claims }: Call, digest: string, blobs: BlobStore) {
  const isReadable = (name: string) => !claims || allows(claims.access, name, 'pull')
  const [from] = target.query.get('from') ?? []
  if (from !== undefined) return isReadable(from) ? from : undefined
  return (await blobs.holders(digest, { last: '', limit: candidates })).find(isReadable)
}
