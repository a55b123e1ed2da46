import { allows, type Grant, isGranted, type Scope } from './access.ts'
import type { Call } from './call.ts'
import { bearerChallenge } from './challenge.ts'
import { digestInvalid, Refusal, unauthorized } from './errors.ts'
import { isDigest, isRepositoryName } from './names.ts'
import type { BlobStore } from './stores.ts'

export interface MountOptions {
  readonly blobs: BlobStore
  readonly grantsOf: (username: string) => readonly Grant[] | undefined
}

/** How many repositories are looked at for one that the caller may read, when it names none. */
const candidates = 1000

/** Reading the source is asked for in the same challenge, so that one token serves for the mount. */
export function mountSource({ target }: Call): Scope[] {
  const [from] = target.query.get('from') ?? []
  return from !== undefined && isRepositoryName(from) ? [{ repository: from, actions: ['pull'] }] : []
}

/**
 * Mounts a blob from another repository, or from any that holds it when `from` is left out. Only what the token reads
 * is mounted; where the account reads the source and only the token does not, the answer is a challenge for one that
 * does. Undefined when no mount is asked for or none can be had: then the request starts an upload.
 */
export async function mountBlob(call: Call, options: MountOptions): Promise<Response | Refusal | undefined> {
  const { target, repository, log, since } = call
  const [digest] = target.query.get('mount') ?? []
  if (digest === undefined) return undefined
  if (!isDigest(digest)) return digestInvalid('the digest is malformed', { digest })
  const source = await readableSource(call, digest, options)
  if (source === undefined || source instanceof Refusal) return source
  const blob = await options.blobs.mount(repository, source, digest)
  if (!blob) return undefined
  log({ event: 'blob_mount', repository, digest, cid: blob.cid, size: blob.size, since })
  return new Response(null, {
    status: 201,
    headers: { Location: `/v2/${repository}/blobs/${digest}`, 'Docker-Content-Digest': digest },
  })
}

async function readableSource(
  { target, claims, site, repository }: Call,
  digest: string,
  { blobs, grantsOf }: MountOptions,
): Promise<string | Refusal | undefined> {
  const [from] = target.query.get('from') ?? []
  const holders =
    from === undefined
      ? await blobs.holders(digest, { last: '', limit: candidates })
      : (await blobs.find(from, digest))
        ? [from]
        : []
  const readable = holders.find((name) => !claims || allows(claims.access, name, 'pull'))
  // Without from, a challenge would tell that somewhere the blob exists.
  if (readable !== undefined || !claims || from === undefined) return readable
  const grants = grantsOf(claims.subject) ?? []
  const grantable = holders.find((name) => isGranted(grants, name, 'pull'))
  if (grantable === undefined) return undefined
  const scopes: Scope[] = [
    { repository, actions: ['pull', 'push'] },
    { repository: grantable, actions: ['pull'] },
  ]
  return unauthorized(
    'the token does not read the source',
    bearerChallenge(site, scopes, 'insufficient_scope'),
  )
}
