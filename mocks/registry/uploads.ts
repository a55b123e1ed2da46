import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { bytesOf, isEmpty } from './body.ts'
import type { Call, Operation, Route } from './call.ts'
import { chunkRange } from './chunk-range.ts'
import { type Digests, digesting } from './digesting.ts'
import { blobUploadInvalid, blobUploadUnknown, digestInvalid, Refusal, sizeInvalid } from './errors.ts'
import { type MountOptions, mountBlob, mountSource } from './mount.ts'
import { algorithmOf, isAlgorithm, isSupportedDigest } from './names.ts'
import type { Algorithm, Chunk, ContentStore, GarbageStore, NewBlob, Upload, UploadStore } from './stores.ts'

export interface UploadOptions extends MountOptions {
  readonly content: ContentStore
  readonly uploads: UploadStore
  readonly garbage: GarbageStore
}

/** Pushing blobs: https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pushing-blobs */
export function uploadRoutes(options: UploadOptions): Route[] {
  const on = (handle: (call: Call, options: UploadOptions) => Promise<Response | Refusal>): Operation => ({
    access: 'push',
    handle: (call) => handle(call, options),
  })
  return [
    {
      path: /^\/v2\/(?<name>.+)\/blobs\/uploads\/?$/,
      methods: { POST: { ...on(startUpload), alsoAsks: mountSource } },
    },
    {
      path: /^\/v2\/(?<name>.+)\/blobs\/uploads\/(?<reference>[^/]+)$/,
      methods: { GET: on(showUpload), PATCH: on(takeChunk), PUT: on(closeUpload), DELETE: on(cancelUpload) },
    },
  ]
}

async function startUpload(call: Call, options: UploadOptions): Promise<Response | Refusal> {
  const { repository, target } = call
  const mounted = await mountBlob(call, options)
  if (mounted) return mounted
  const [digest] = target.query.get('digest') ?? []
  if (digest !== undefined) return pushAtOnce(call, digest, options)
  const [algorithm = 'sha256'] = target.query.get('digest-algorithm') ?? []
  if (!isAlgorithm(algorithm)) return digestInvalid('digests are sha256 or sha512', { algorithm })
  const upload: Upload = { id: randomUUID(), repository, algorithm, size: 0 }
  await options.uploads.open(upload)
  return uploadResponse(202, upload)
}

/** A single POST with the digest and all of the content. */
async function pushAtOnce(call: Call, digest: string, options: UploadOptions): Promise<Response | Refusal> {
  if (!isSupportedDigest(digest)) return unusable(digest)
  const { bytes, digests } = digesting(bytesOf(call.request, call.context), algorithmOf(digest) ?? 'sha256')
  const cid = await options.content.add(bytes)
  return commit(call, digest, { cid, ...digests() }, undefined, options)
}

async function showUpload(call: Call, { uploads }: UploadOptions): Promise<Response | Refusal> {
  const upload = await uploads.find(call.repository, call.reference)
  return upload ? uploadResponse(204, upload) : blobUploadUnknown(call.reference)
}

async function cancelUpload(call: Call, { uploads }: UploadOptions): Promise<Response | Refusal> {
  const { repository, reference, log, since } = call
  if (!(await uploads.cancel(repository, reference))) return blobUploadUnknown(reference)
  log({ event: 'upload_cancel', repository, since })
  return new Response(null, { status: 204 })
}

async function takeChunk(call: Call, options: UploadOptions): Promise<Response | Refusal> {
  const upload = await options.uploads.find(call.repository, call.reference)
  if (!upload) return blobUploadUnknown(call.reference)
  const chunk = await storeChunk(call, upload, upload.algorithm, options)
  if (chunk instanceof Refusal) return chunk
  if (chunk.size > 0 && !(await options.uploads.append(upload.id, chunk))) return outOfOrder(upload)
  return uploadResponse(202, { ...upload, size: upload.size + chunk.size })
}

/** Stores the body as the next chunk, without recording it yet: a refused chunk leaves no trace in the session. */
async function storeChunk(
  call: Call,
  upload: Upload,
  algorithm: Algorithm,
  { content }: UploadOptions,
): Promise<Chunk | Refusal> {
  const { request, context } = call
  const range = chunkRange(request.headers.get('content-range'))
  if (range === 'malformed') return blobUploadInvalid(400, 'Content-Range must be START-END')
  if (range && range.first !== upload.size) return outOfOrder(upload)
  const announced = request.headers.get('content-length')
  const expected = range && range.last - range.first + 1
  const mismatch = sizeInvalid('the length of the chunk is not that of its Content-Range')
  if (expected !== undefined && announced !== null && Number(announced) !== expected) return mismatch
  if (isEmpty(request, context)) return { start: upload.size, size: 0, cid: '', sha256: '' }
  const { bytes, digests } = digesting(bytesOf(request, context), algorithm)
  const cid = await content.add(bytes)
  const known = digests()
  if (expected !== undefined && known.size !== expected) return mismatch
  return { start: upload.size, cid, ...known }
}

async function closeUpload(call: Call, options: UploadOptions): Promise<Response | Refusal> {
  const { target, repository, reference } = call
  const [digest] = target.query.get('digest') ?? []
  if (digest === undefined) return digestInvalid('closing an upload takes the parameter digest')
  if (!isSupportedDigest(digest)) return unusable(digest)
  const upload = await options.uploads.find(repository, reference)
  if (!upload) return blobUploadUnknown(reference)
  const algorithm = algorithmOf(digest) ?? 'sha256'
  const last = await storeChunk(call, upload, algorithm, options)
  if (last instanceof Refusal) return last
  const earlier = upload.size > 0 ? await options.uploads.chunks(upload.id) : []
  // Somebody else may have closed the session in between.
  if (earlier.reduce((sum, { size }) => sum + size, 0) !== upload.size) return blobUploadUnknown(reference)
  const stored = await joined([...earlier, ...(last.size > 0 ? [last] : [])], algorithm, options.content)
  return commit(call, digest, stored, upload, options)
}

/** All chunks as one content. A single one is that already; several are read back and added again, as one. */
async function joined(
  chunks: readonly Chunk[],
  algorithm: Algorithm,
  content: ContentStore,
): Promise<Digests & { cid: string }> {
  const [only, ...more] = chunks
  if (only && more.length === 0 && (algorithm === 'sha256' || only.sha512)) return only
  const { bytes, digests } = digesting(readAll(chunks, content), algorithm)
  const cid = await content.add(bytes)
  return { cid, ...digests() }
}

async function* readAll(chunks: readonly Chunk[], content: ContentStore): AsyncGenerator<Uint8Array> {
  for (const { cid } of chunks) yield* await content.read(cid)
}

/** Checks the digest, pins, records, and only then acknowledges. */
async function commit(
  { repository, log, since }: Call,
  digest: string,
  { cid, size, sha256, sha512 }: Digests & { cid: string },
  upload: Upload | undefined,
  options: UploadOptions,
): Promise<Response | Refusal> {
  if (digest !== sha256 && digest !== sha512) {
    return digestInvalid('the content has another digest', { digest })
  }
  const blob = {
    digest: sha256,
    cid,
    size,
    ...(digest === sha256 ? {} : { alias: digest }),
    ...(upload && { upload: { id: upload.id, size: upload.size } }),
  }
  const outcome = await pinAndRecord(repository, blob, options)
  if (outcome === 'gone') return blobUploadUnknown(upload?.id ?? '')
  log({ event: 'blob_upload', repository, digest, cid, size, since })
  return new Response(null, {
    status: 201,
    headers: { Location: `/v2/${repository}/blobs/${digest}`, 'Docker-Content-Digest': digest },
  })
}

/** Again while the same content is just being collected, which takes moments. */
async function pinAndRecord(
  repository: string,
  blob: NewBlob,
  { blobs, content, garbage }: UploadOptions,
): Promise<'recorded' | 'gone'> {
  await garbage.foresee(blob.cid)
  for (;;) {
    await content.pin(blob.cid)
    const outcome = await blobs.record(repository, blob)
    if (outcome !== 'unpinned') return outcome
    await setTimeout(20)
  }
}

const unusable = (digest: string) =>
  digestInvalid('the digest is malformed, or neither sha256 nor sha512', { digest })

const outOfOrder = (upload: Upload) =>
  blobUploadInvalid(416, 'the chunk does not begin where the upload ends', uploadHeaders(upload))

const uploadHeaders = ({ id, repository, size }: Upload) => ({
  Location: `/v2/${repository}/blobs/uploads/${id}`,
  Range: `0-${Math.max(0, size - 1)}`,
  'Docker-Upload-UUID': id,
})

const uploadResponse = (status: 202 | 204, upload: Upload) =>
  new Response(null, { status, headers: uploadHeaders(upload) })
