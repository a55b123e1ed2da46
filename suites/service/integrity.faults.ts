import { faultKinds } from '../../harness/fault-kinds.ts'
import { to } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Blob, ContentStore, NewBlob, Stores } from '../../mocks/registry/stores.ts'
import { session } from '../oci/push/upload-wire.ts'
import { storing } from '../oci/seams.faults.ts'
import { errorAnswer, path, rewording } from '../oci/wire.ts'
import { joined, read } from './behind.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const verified = ['service.integrity.verified-on-pull']
const down = ['service.integrity.storage-down']
const served = ['service.pull.manifest-without-storage']
const pinned = ['service.push.commit-after-pin']
const linked = ['service.push.manifest-links']

/** Sends what the storage node gives, where `trusts` says so: no digest is looked at. */
function unverified(trusts: (blob: Blob, bytes: Buffer) => boolean): Seams {
  let behind: Stores | undefined
  return {
    stores(all) {
      behind = all
      return all
    },
    registry: (next) => async (request, context) => {
      const answer = await next(request, context)
      const [, name = '', digest = ''] = read.exec(new URL(request.url).pathname) ?? []
      const blob = request.method === 'GET' && digest && (await behind?.blobs.find(name, digest))
      if (!blob || !behind || answer.status === 401) return answer
      const bytes = await behind.content.read(blob.cid).then(joined, () => undefined)
      if (!bytes || !trusts(blob, bytes)) return answer
      await answer.body?.cancel()
      return new Response(bytes)
    },
  }
}

/** Remembers what could not be read, and says so ever after. */
const grudging = (failures: number): Seams => ({
  registry: (next) => {
    const failed = new Map<string, number>()
    return async (request, context) => {
      const { pathname } = new URL(request.url)
      const before = failed.get(pathname) ?? 0
      if (before >= failures) return errorAnswer(502, 'UNKNOWN')
      const answer = await next(request, context)
      if (to('GET', path.blob)(request) && answer.status >= 500) failed.set(pathname, before + 1)
      return answer
    }
  },
})

/** Answers another status where the registry itself says that something failed. */
const failingAs = (method: string, where: RegExp, status: number): Seams => ({
  registry: (next) => async (request, context) => {
    const answer = await next(request, context)
    return to(method, where)(request) && answer.status >= 500 ? errorAnswer(status, 'BLOB_UNKNOWN') : answer
  },
})

const pinning = (pin: (content: ContentStore, cid: string, all: Stores) => Promise<void>): Seams =>
  storing('content', (content, all) => ({ pin: (cid) => pin(content, cid, all) }))

/** Records a blob before its content is pinned, and does not take it back when that fails. */
function recordedFirst(): Seams {
  let recording: ((repository: string, blob: NewBlob) => Promise<unknown>) | undefined
  let lastUnpinned = ''
  return {
    registry: (next) => async (request, context) => {
      const { pathname, searchParams } = new URL(request.url)
      const answer = await next(request, context)
      if (to('PUT', session)(request) && answer.status >= 500) {
        const name = /\/v2\/(.+)\/blobs\//.exec(pathname)?.[1] ?? ''
        const digest = searchParams.get('digest') ?? ''
        await recording?.(name, { digest, cid: lastUnpinned, size: 3000 })
      }
      return answer
    },
    ...storing('content', (content, { blobs }) => {
      recording = blobs.record
      return {
        async pin(cid) {
          lastUnpinned = cid
          return content.pin(cid)
        },
      }
    }),
  }
}

const forgottenAfterFailure: Seams = {
  registry: (next) => {
    const failed = new Set<string>()
    return async (request, context) => {
      const { pathname, searchParams } = new URL(request.url)
      if (to('GET', path.blob)(request) && failed.has(pathname.split('/').at(-1) ?? '')) {
        return errorAnswer(404, 'BLOB_UNKNOWN')
      }
      const answer = await next(request, context)
      if (to('PUT', session)(request) && answer.status >= 500) failed.add(searchParams.get('digest') ?? '')
      return answer
    }
  },
}

export const faults = [
  corruption(
    'service.integrity.unverified',
    'what the storage node gives is sent as it is',
    verified,
    unverified(() => true),
    'compares the digest',
  ),
  corruption(
    'service.integrity.unverified-when-large',
    'blobs over 1 MiB are sent as the storage node gives them',
    verified,
    unverified(({ size }) => size > 1 << 20),
    'compares the digest',
  ),
  corruption(
    'service.integrity.length-alone',
    'of what the storage node gives only the length is looked at',
    verified,
    unverified(({ size }, bytes) => bytes.length === size),
    'compares the digest',
  ),
  corruption(
    'service.integrity.shortened-clean',
    'content that the storage node cuts short is sent as if it were all',
    verified,
    unverified(({ size }, bytes) => bytes.length < size),
    'compares the length with that of the descriptor',
  ),
  interoperability(
    'service.integrity.damage-as-404',
    'a blob whose content is damaged is said not to be there',
    verified,
    failingAs('GET', path.blob, 404),
  ),
  interoperability(
    'service.integrity.damage-remembered',
    'a blob that once came back damaged is never served again',
    [...down, ...served],
    grudging(1),
  ),
  interoperability(
    'service.integrity.damage-remembered-later',
    'a blob that came back damaged twice is never served again',
    verified,
    grudging(2),
  ),
  interoperability(
    'service.integrity.outage-as-404',
    'while the storage node is down, blobs are said not to be there',
    [...down, ...served],
    failingAs('GET', path.blob, 404),
    'cannot tell, and says that the image is gone',
  ),
  corruption(
    'service.integrity.outage-acknowledged',
    'while the storage node is down, pushes are acknowledged',
    [...down, ...pinned],
    pinning((content, cid) => content.pin(cid).catch(() => undefined)),
    'looks with HEAD after the push, and sees nothing wrong',
  ),
  interoperability(
    'service.integrity.outage-blamed',
    'while the storage node is down, pushes are refused as wrong',
    down,
    failingAs('PUT', session, 400),
  ),

  corruption(
    'service.push.never-pinned',
    'content is not pinned',
    pinned,
    pinning(async () => undefined),
  ),
  corruption(
    'service.push.recorded-first',
    'a blob is served although its push failed, as it was recorded before its content was pinned',
    pinned,
    recordedFirst(),
  ),
  interoperability(
    'service.push.failed-for-good',
    'a blob whose push failed once is never found again',
    pinned,
    forgottenAfterFailure,
  ),
  corruption(
    'service.push.manifest-drops-layers',
    'layers that a manifest refers to are lost when it is pushed',
    linked,
    storing('manifests', (manifests, { blobs }) => ({
      async put(name, manifest, tags) {
        await manifests.put(name, manifest, tags)
        await blobs.remove(name, manifest.blobs.at(-1) ?? '')
      },
    })),
  ),
  corruption(
    'service.push.manifest-spaced',
    'a stored manifest comes back with a line end after it',
    [
      ...linked,
      'oci.push.manifest.layers-empty',
      'oci.push.manifest.subject-missing.accepted',
      'oci.push.manifest.put.content-type-params',
      'oci.push.manifest.put.retag-idempotent',
      'oci.mgmt.manifest.delete.unknown-repo.404',
      'oci.push.manifest.index-nested',
      'oci.push.manifest.artifact-type',
      'oci.push.manifest.index',
      'oci.push.manifest.put.location-pullable',
      'oci.push.manifest.put.no-mediatype',
      'oci.base.tag.case-sensitive',
    ],
    { registry: rewording(path.manifest, (text) => `${text}\n`) },
  ),

  interoperability(
    'service.pull.manifest-needs-storage',
    'a manifest is served only when its config can be read from the storage node',
    served,
    storing('manifests', (manifests, { blobs, content }) => ({
      async find(name, reference) {
        const found = await manifests.find(name, reference)
        const config = found && JSON.parse(found.content).config?.digest
        const blob = config && (await blobs.find(name, config))
        if (blob) await joined(await content.read(blob.cid))
        return found
      },
    })),
  ),
  corruption(
    'service.pull.manifest-degraded',
    'a manifest whose config cannot be read is answered with an empty object',
    served,
    {
      ...storing('manifests', (manifests, { blobs, content }) => ({
        async find(name, reference) {
          const found = await manifests.find(name, reference)
          const config = found && JSON.parse(found.content).config?.digest
          const blob = config && (await blobs.find(name, config))
          const readable = blob
            ? await content
                .read(blob.cid)
                .then(joined)
                .catch(() => undefined)
            : true
          return found && (readable ? found : { ...found, content: '{}' })
        },
      })),
    },
  ),
  interoperability(
    'service.pull.tags-need-storage',
    'no tag is listed whose config cannot be read from the storage node',
    served,
    storing('tags', (tags, { manifests, blobs, content }) => ({
      async list(name, page) {
        const listed = await tags.list(name, page)
        const found = await manifests.find(name, listed[0] ?? '')
        const config = found && JSON.parse(found.content).config?.digest
        const blob = config && (await blobs.find(name, config))
        return blob
          ? content
              .read(blob.cid)
              .then(joined)
              .then(
                () => listed,
                () => [],
              )
          : listed
      },
    })),
  ),
]
