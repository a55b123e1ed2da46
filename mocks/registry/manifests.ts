import { createHash } from 'node:crypto'
import { isNamed } from './blobs.ts'
import { readUpTo } from './body.ts'
import type { Call, Operation, Route } from './call.ts'
import {
  digestInvalid,
  manifestBlobUnknown,
  manifestInvalid,
  manifestTooLarge,
  manifestUnknown,
  nameUnknown,
  Refusal,
  unsupported,
} from './errors.ts'
import { readManifest } from './manifest-document.ts'
import { algorithmOf, isDigest, isSupportedDigest, isTag } from './names.ts'
import { ContentAbsent, type ManifestStore, type RepositoryStore, type TagStore } from './stores.ts'

export interface ManifestOptions {
  readonly manifests: ManifestStore
  readonly repositories: RepositoryStore
  readonly tags: TagStore
  /** Accept manifests that refer to content which is not there. */
  readonly sparse: boolean
}

/** Bytes. https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pushing-manifests asks for 4 MB at least. */
const largest = 4 * 1024 * 1024
/** Tags that one push by digest may set. */
const mostTags = 100

export function manifestRoutes(options: ManifestOptions): Route[] {
  const on = (
    access: 'pull' | 'push',
    handle: (call: Call, options: ManifestOptions) => Promise<Response | Refusal>,
  ): Operation => ({ access, handle: (call) => refusedReference(call) ?? handle(call, options) })
  return [
    {
      path: /^\/v2\/(?<name>.+)\/manifests\/(?<reference>[^/]+)$/,
      methods: {
        GET: on('pull', pullManifest),
        PUT: on('push', pushManifest),
        DELETE: on('push', deleteReference),
      },
    },
  ]
}

function refusedReference({ reference }: Call): Refusal | undefined {
  if (reference.includes(':')) {
    return isDigest(reference) ? undefined : digestInvalid('the digest is malformed', { digest: reference })
  }
  return isTag(reference) ? undefined : manifestInvalid('the reference is neither a digest nor a tag')
}

/** The stored type is served, whatever Accept says: anything else would have another digest. */
async function pullManifest(
  call: Call,
  { manifests, repositories }: ManifestOptions,
): Promise<Response | Refusal> {
  const { repository, reference, request, log, since } = call
  const manifest = await manifests.find(repository, reference)
  if (!manifest) {
    return (await repositories.exists(repository)) ? manifestUnknown(reference) : nameUnknown(repository)
  }
  const { digest, contentType, content } = manifest
  const body = Buffer.from(content)
  const etag = `"${digest}"`
  const headers = {
    'Content-Type': contentType,
    'Content-Length': String(body.byteLength),
    'Docker-Content-Digest': digest,
    ETag: etag,
  }
  if (isNamed(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: { ETag: etag, 'Docker-Content-Digest': digest } })
  }
  if (request.method === 'HEAD') return new Response(null, { headers })
  log({ event: 'manifest_pull', repository, digest, size: body.byteLength, since })
  return new Response(body, { headers })
}

async function pushManifest(call: Call, options: ManifestOptions): Promise<Response | Refusal> {
  const { repository, reference, request, context, log, since } = call
  const byDigest = reference.includes(':')
  if (byDigest && !isSupportedDigest(reference)) return digestInvalid('digests are sha256 or sha512')
  const tags = byDigest ? tagParameters(call) : [reference]
  if (tags instanceof Refusal) return tags
  const bytes = await readUpTo(largest, request, context)
  if (!bytes) return manifestTooLarge(largest)
  const algorithm = (byDigest && algorithmOf(reference)) || 'sha256'
  if (byDigest && reference !== `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`) {
    return digestInvalid('the manifest has another digest', { digest: reference })
  }
  const manifest = readManifest(bytes, request.headers.get('content-type'), algorithm)
  if (manifest instanceof Refusal) return manifest
  const { digest, size, subject } = manifest
  try {
    await options.manifests.put(repository, { ...manifest, sparse: options.sparse }, tags)
  } catch (error) {
    if (error instanceof ContentAbsent) return manifestBlobUnknown(error.digests)
    throw error
  }
  log({ event: 'manifest_push', repository, digest, size, since })
  return new Response(null, {
    status: 201,
    headers: {
      Location: `/v2/${repository}/manifests/${digest}`,
      'Docker-Content-Digest': digest,
      ...(subject !== undefined && { 'OCI-Subject': subject }),
      ...(byDigest && tags.length > 0 && { 'OCI-Tag': tags.join(', ') }),
    },
  })
}

function tagParameters({ target }: Call): readonly string[] | Refusal {
  const tags = [...new Set(target.query.get('tag') ?? [])]
  if (tags.length > mostTags) return unsupported(414, `at most ${mostTags} tags can be set at once`)
  const wrong = tags.find((tag) => !isTag(tag))
  return wrong === undefined ? tags : manifestInvalid('a tag parameter is not a tag')
}

async function deleteReference(call: Call, options: ManifestOptions): Promise<Response | Refusal> {
  const { repository, reference, log, since } = call
  const isDigestReference = reference.includes(':')
  const store = isDigestReference ? options.manifests : options.tags
  if (!(await store.remove(repository, reference))) {
    return (await options.repositories.exists(repository))
      ? manifestUnknown(reference)
      : nameUnknown(repository)
  }
  const event = isDigestReference ? 'manifest_delete' : 'tag_delete'
  log({ event, repository, ...(isDigestReference && { digest: reference }), since })
  return new Response(null, { status: 202 })
}
