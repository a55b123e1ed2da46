import type { Call, Operation, Route } from './call.ts'
import { blobUnknown, contentDamaged, digestInvalid, type Refusal } from './errors.ts'
import { isDigest } from './names.ts'
import { byteRange } from './range.ts'
import type { Blob, BlobStore, ContentStore } from './stores.ts'
import { streamOf } from './stream.ts'
import { ContentDamaged, counted, verified } from './verified.ts'

/** Up to here a blob is read and checked whole before the answer begins, so that damage is a plain 502. */
const wholeUpTo = 1024 * 1024

export interface BlobOptions {
  readonly blobs: BlobStore
  readonly content: ContentStore
}

/** Pulling and deleting blobs: https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-blobs */
export function blobRoutes(options: BlobOptions): Route[] {
  const pull: Operation = { access: 'pull', handle: (call) => pullBlob(call, options) }
  const remove: Operation = { access: 'push', handle: (call) => deleteBlob(call, options) }
  return [{ path: /^\/v2\/(?<name>.+)\/blobs\/(?<reference>[^/]+)$/, methods: { GET: pull, DELETE: remove } }]
}

async function pullBlob(call: Call, { blobs, content }: BlobOptions): Promise<Response | Refusal> {
  const { repository, reference: digest, request } = call
  if (!isDigest(digest)) return digestInvalid('the digest is malformed', { digest })
  const blob = await blobs.find(repository, digest)
  if (!blob) return blobUnknown(digest)
  const etag = `"${digest}"`
  const headers = {
    'Accept-Ranges': 'bytes',
    'Content-Type': 'application/octet-stream',
    'Docker-Content-Digest': digest,
    ETag: etag,
  }
  if (isNamed(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  if (request.method === 'HEAD') return answer(null, blob.size, 200, headers)
  const ifRange = request.headers.get('if-range')
  const asked = ifRange === null || ifRange === etag ? request.headers.get('range') : null
  const range = byteRange(asked, blob.size)
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${blob.size}` } })
  }
  if (!range) return pullWhole(call, blob, content, headers)
  const { first, last } = range
  const length = last - first + 1
  const bytes = counted(await content.read(blob.cid, { offset: first, length }), length)
  logPull(call, blob, length)
  return answer(relayed(call, blob, bytes), length, 206, {
    ...headers,
    'Content-Range': `bytes ${first}-${last}/${blob.size}`,
  })
}

async function pullWhole(
  call: Call,
  blob: Blob,
  content: ContentStore,
  headers: Record<string, string>,
): Promise<Response | Refusal> {
  const bytes = verified(await content.read(blob.cid), blob)
  if (blob.size > wholeUpTo) {
    return answer(
      relayed(call, blob, bytes, () => logPull(call, blob, blob.size)),
      blob.size,
      200,
      headers,
    )
  }
  try {
    const parts: Uint8Array[] = []
    for await (const part of bytes) parts.push(part)
    logPull(call, blob, blob.size)
    return answer(Buffer.concat(parts), blob.size, 200, headers)
  } catch (error) {
    if (!(error instanceof ContentDamaged)) throw error
    logBreak(call, blob, 'blob_damaged')
    return contentDamaged()
  }
}

const answer = (
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
  length: number,
  status: number,
  headers: Record<string, string>,
) => new Response(body, { status, headers: { ...headers, 'Content-Length': String(length) } })

/**
 * A body that ends the connection when the content fails on the way. The server's adapter would leave the client
 * hanging, and the process with an uncaught exception, if the stream itself failed.
 */
function relayed(
  call: Call,
  blob: Blob,
  bytes: AsyncGenerator<Uint8Array>,
  done: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const { res } = call.context
  return streamOf(
    (async function* () {
      try {
        yield* bytes
        done()
      } catch (error) {
        logBreak(call, blob, error instanceof ContentDamaged ? 'blob_damaged' : 'storage_unavailable')
        if (!res) throw error
        res.destroy()
      }
    })(),
  )
}

function logPull({ log, repository, since }: Call, { digest, cid }: Blob, size: number): void {
  log({ event: 'blob_pull', repository, digest, cid, size, since })
}

function logBreak({ log, repository, since }: Call, { digest, cid, size }: Blob, event: string): void {
  log({ event, level: 'error', repository, digest, cid, size, since })
}

/** Whether an `If-None-Match` header names the tag. */
export const isNamed = (header: string | null, etag: string) =>
  header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)

async function deleteBlob(call: Call, { blobs }: BlobOptions): Promise<Response | Refusal> {
  const { repository, reference: digest, log, since } = call
  if (!isDigest(digest)) return digestInvalid('the digest is malformed', { digest })
  if (!(await blobs.remove(repository, digest))) return blobUnknown(digest)
  log({ event: 'blob_delete', repository, digest, since })
  return new Response(null, { status: 202 })
}
