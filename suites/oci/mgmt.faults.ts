import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, to, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Manifest, Stores } from '../../mocks/registry/stores.ts'
import { restatus, storing } from './seams.faults.ts'
import { errorAnswer, path, type Wire } from './wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { tag, manifestDigest, blob } = path

const disabled = (where: RegExp, status: number): Seams => ({
  registry: answering(to('DELETE', where), () => errorAnswer(status, 'UNSUPPORTED')),
})
const blobGone = ['oci.mgmt.blob.delete.gone']
const manifestGone = ['oci.mgmt.manifest.delete.gone']
const tagGone = ['oci.mgmt.tag.delete.gone']

/** Manifests by tag are remembered, and served when they are gone. */
const cachedTags: Seams = {
  stores: ({ manifests, ...rest }) => {
    const cache = new Map<string, Manifest>()
    return {
      ...rest,
      manifests: {
        ...manifests,
        async find(name, reference) {
          const found = await manifests.find(name, reference)
          if (reference.includes(':')) return found
          if (found) cache.set(`${name} ${reference}`, found)
          return found ?? cache.get(`${name} ${reference}`)
        },
        put(name, manifest, tags) {
          for (const each of tags) cache.set(`${name} ${each}`, manifest)
          return manifests.put(name, manifest, tags)
        },
      },
    }
  },
}

/** A blob that was deleted once counts as there when it is pushed again. */
const rememberedBlobs: Seams = storing('blobs', (blobs) => {
  const gone = new Set<string>()
  return {
    record: async (name, one) =>
      gone.has(`${name} ${one.digest}`) ? 'recorded' : await blobs.record(name, one),
    remove(name, digest) {
      gone.add(`${name} ${digest}`)
      return blobs.remove(name, digest)
    },
  }
})

type Manifests = Stores['manifests']

/** Does with the manifests that were deleted once what `change` says. */
const rememberedManifests = (
  change: (manifests: Manifests, wasDeleted: (name: string, digest: string) => boolean) => Partial<Manifests>,
): Seams =>
  storing('manifests', (manifests) => {
    const gone = new Set<string>()
    return {
      ...change(manifests, (name, digest) => gone.has(`${name} ${digest}`)),
      remove(name, digest) {
        gone.add(`${name} ${digest}`)
        return manifests.remove(name, digest)
      },
    }
  })

/** Deleting a blob takes it from the repositories that got it in this way, too. */
const deletedElsewhere = (way: 'mounted' | 'pushed'): Seams =>
  storing('blobs', (blobs) => {
    const mounts = new Set<string>()
    return {
      mount(name, from, digest) {
        mounts.add(`${name} ${digest}`)
        return blobs.mount(name, from, digest)
      },
      async remove(name, digest) {
        for (const each of await blobs.holders(digest, { last: '', limit: 100 })) {
          const mounted = mounts.has(`${each} ${digest}`)
          if (each !== name && mounted === (way === 'mounted')) await blobs.remove(each, digest)
        }
        return blobs.remove(name, digest)
      },
    }
  })

/** Answers a request for what was deleted with another status than 404. */
const afterDelete =
  (method: string, when: (deleted: boolean) => boolean, status: number) =>
  (next: Wire): Wire => {
    const deleted = new Set<string>()
    return async (request, context) => {
      const { pathname } = new URL(request.url)
      const isHere = request.method === method && when(deleted.has(pathname))
      const answer = await next(request, context)
      if (request.method === 'DELETE' && answer.status === 202) deleted.add(pathname)
      return isHere && answer.status === 404 ? withStatus(answer, status) : answer
    }
  }

export const faults = [
  interoperability(
    'oci.mgmt.blob.disabled-403',
    'deletes of blobs are switched off, with 403',
    ['oci.mgmt.blob.delete.disabled'],
    disabled(blob, 403),
  ),
  interoperability(
    'oci.mgmt.blob.disabled-404',
    'deletes of blobs are switched off, with 404',
    ['oci.mgmt.blob.delete.disabled'],
    disabled(blob, 404),
  ),
  interoperability(
    'oci.mgmt.blob.delete-200',
    'deleting a blob answers 200',
    ['oci.mgmt.blob.delete.disabled'],
    restatus('DELETE', blob, 202, 200),
  ),
  interoperability(
    'oci.mgmt.blob.unknown-202',
    'deleting a blob that is not there answers 202',
    ['oci.mgmt.blob.delete.unknown.404'],
    restatus('DELETE', blob, 404, 202),
  ),
  interoperability(
    'oci.mgmt.blob.unknown-500',
    'deleting a blob that is not there answers 500',
    ['oci.mgmt.blob.delete.unknown.404'],
    restatus('DELETE', blob, 404, 500),
  ),
  corruption(
    'oci.mgmt.blob.kept',
    'deleting a blob is acknowledged and not done',
    [...blobGone, 'oci.mgmt.blob.delete.unknown.404'],
    storing('blobs', (blobs) => ({
      remove: async (name, digest) => (await blobs.find(name, digest)) !== undefined,
    })),
  ),
  corruption(
    'oci.mgmt.blob.mounts-deleted',
    'deleting a blob deletes it where it was mounted, as if a mount were a link',
    ['oci.mgmt.blob.delete.other-repo-stays'],
    deletedElsewhere('mounted'),
  ),
  corruption(
    'oci.mgmt.blob.pushes-deleted',
    'a blob that several repositories were sent is counted once, and deleted from all of them',
    ['oci.mgmt.blob.delete.other-repo-stays'],
    deletedElsewhere('pushed'),
  ),
  corruption(
    'oci.mgmt.blob.repush-skipped',
    'a deleted blob that is pushed again is acknowledged and not recorded',
    ['oci.mgmt.blob.delete.repush'],
    rememberedBlobs,
    'looks with HEAD for what it pushed',
  ),
  interoperability(
    'oci.mgmt.manifest.disabled-403',
    'deletes of manifests are switched off, with 403',
    ['oci.mgmt.manifest.delete.disabled'],
    disabled(manifestDigest, 403),
  ),
  interoperability(
    'oci.mgmt.manifest.disabled-501',
    'deletes of manifests are switched off, with 501',
    ['oci.mgmt.manifest.delete.disabled'],
    disabled(manifestDigest, 501),
  ),
  interoperability(
    'oci.mgmt.manifest.unknown-202',
    'deleting a manifest that is not there answers 202',
    ['oci.mgmt.manifest.delete.unknown.404', 'oci.mgmt.manifest.delete.unknown-repo.404'],
    restatus('DELETE', manifestDigest, 404, 202),
  ),
  interoperability(
    'oci.mgmt.manifest.unknown-500',
    'deleting a manifest that is not there answers 500',
    ['oci.mgmt.manifest.delete.unknown.404', 'oci.mgmt.manifest.delete.unknown-repo.404'],
    restatus('DELETE', manifestDigest, 404, 500),
  ),
  corruption(
    'oci.mgmt.manifest.kept',
    'deleting a manifest is acknowledged and not done',
    [...manifestGone, 'oci.mgmt.manifest.delete.unknown.404'],
    storing('manifests', (manifests) => ({
      remove: async (name, digest) => (await manifests.find(name, digest)) !== undefined,
    })),
  ),
  corruption(
    'oci.mgmt.manifest.tags-survive',
    'a tag survives its manifest',
    [...manifestGone, ...tagGone],
    cachedTags,
    'pulls by digest',
  ),
  interoperability(
    'oci.mgmt.manifest.tags-listed',
    'the tags of a deleted manifest are still listed',
    [...manifestGone, ...tagGone],
    {
      stores: ({ manifests, tags, ...rest }) => {
        const known = new Map<string, Set<string>>()
        return {
          ...rest,
          manifests: {
            ...manifests,
            put(name, one, given) {
              known.set(name, new Set([...(known.get(name) ?? []), ...given]))
              return manifests.put(name, one, given)
            },
          },
          tags: { ...tags, list: async (name) => [...(known.get(name) ?? [])].sort() },
        }
      },
    },
  ),
  corruption(
    'oci.mgmt.manifest.blobs-deleted',
    'the blobs of a deleted manifest go with it, also those of others',
    ['oci.mgmt.manifest.delete.shared-blobs'],
    {
      stores: ({ manifests, blobs, ...rest }) => {
        const parts = new Map<string, readonly string[]>()
        return {
          ...rest,
          blobs,
          manifests: {
            ...manifests,
            put(name, one, tags) {
              parts.set(one.digest, one.blobs)
              return manifests.put(name, one, tags)
            },
            async remove(name, digest) {
              for (const each of parts.get(digest) ?? []) await blobs.remove(name, each)
              return manifests.remove(name, digest)
            },
          },
        }
      },
    },
  ),
  corruption(
    'oci.mgmt.manifest.repush-untagged',
    'a deleted manifest that is pushed again is stored without its tag',
    ['oci.mgmt.manifest.delete.repush'],
    rememberedManifests((manifests, wasDeleted) => ({
      put: (name, one, tags) => manifests.put(name, one, wasDeleted(name, one.digest) ? [] : tags),
    })),
  ),
  corruption(
    'oci.mgmt.manifest.repush-by-tag',
    'a deleted manifest that is pushed again is found by its tag alone',
    ['oci.mgmt.manifest.delete.repush'],
    rememberedManifests((manifests, wasDeleted) => ({
      find: async (name, reference) =>
        wasDeleted(name, reference) ? undefined : await manifests.find(name, reference),
    })),
  ),
  interoperability(
    'oci.mgmt.tag.disabled-403',
    'deletes of tags are switched off, with 403',
    ['oci.mgmt.tag.delete.disabled'],
    disabled(tag, 403),
  ),
  interoperability(
    'oci.mgmt.tag.disabled-404',
    'deletes of tags are switched off, with 404',
    ['oci.mgmt.tag.delete.disabled'],
    disabled(tag, 404),
  ),
  corruption(
    'oci.mgmt.tag.kept',
    'deleting a tag is acknowledged and not done',
    tagGone,
    storing('tags', () => ({ remove: () => Promise.resolve(true) })),
  ),
  corruption(
    'oci.mgmt.tag.takes-manifest',
    'deleting a tag deletes its manifest',
    ['oci.mgmt.tag.delete.others-stay'],
    storing('tags', (tags, { manifests }) => ({
      async remove(name, one) {
        const found = await manifests.find(name, one)
        const removed = await tags.remove(name, one)
        if (found) await manifests.remove(name, found.digest)
        return removed
      },
    })),
    'deletes no tag that shares its manifest',
  ),
  corruption(
    'oci.mgmt.tag.takes-tags',
    'deleting a tag deletes the other tags of its manifest',
    ['oci.mgmt.tag.delete.others-stay'],
    storing('tags', (tags, { manifests }) => ({
      async remove(name, one) {
        const found = await manifests.find(name, one)
        for (const other of await tags.list(name, { last: '', limit: 100 })) {
          const same = (await manifests.find(name, other))?.digest === found?.digest
          if (other !== one && same) await tags.remove(name, other)
        }
        return tags.remove(name, one)
      },
    })),
  ),
  corruption(
    'oci.mgmt.tag.takes-digest',
    'deleting a tag leaves its manifest to the other tags, and takes it from its digest',
    ['oci.mgmt.tag.delete.others-stay'],
    {
      stores: (all) => {
        const { tags, manifests } = all
        const lost = new Set<string>()
        return {
          ...all,
          tags: {
            ...tags,
            async remove(name, one) {
              lost.add(`${name} ${(await manifests.find(name, one))?.digest}`)
              return tags.remove(name, one)
            },
          },
          manifests: {
            ...manifests,
            find: async (name, reference) =>
              lost.has(`${name} ${reference}`) ? undefined : await manifests.find(name, reference),
          },
        }
      },
    },
    'deletes no tag that shares its manifest',
  ),
  interoperability(
    'oci.mgmt.tag.unknown-202',
    'deleting a tag that is not there answers 202',
    ['oci.mgmt.tag.delete.unknown.404'],
    restatus('DELETE', tag, 404, 202),
  ),
  interoperability(
    'oci.mgmt.tag.unknown-500',
    'deleting a tag that is not there answers 500',
    ['oci.mgmt.tag.delete.unknown.404'],
    restatus('DELETE', tag, 404, 500),
  ),
  interoperability(
    'oci.mgmt.never-there-202',
    'deleting what was never there answers 202, and what was deleted 404',
    ['oci.mgmt.blob.delete.unknown.404', 'oci.mgmt.manifest.delete.unknown.404'],
    { registry: afterDelete('DELETE', (deleted) => !deleted, 202) },
  ),
  corruption(
    'oci.mgmt.deleted-head-200',
    'HEAD answers from a cache, and finds what was deleted',
    [...blobGone, ...manifestGone],
    { registry: afterDelete('HEAD', (deleted) => deleted, 200) },
    'pulls what it found before it builds on it',
  ),
  corruption(
    'oci.mgmt.deleted-get-200',
    'GET of what was deleted answers 200, with an error for its content',
    [...blobGone, ...manifestGone],
    { registry: afterDelete('GET', (deleted) => deleted, 200) },
  ),
  interoperability(
    'oci.mgmt.delete-204',
    'a delete answers 204 in most repositories',
    ['oci.mgmt.blob.delete.202', 'oci.mgmt.manifest.delete.202', 'oci.mgmt.tag.delete.202'],
    {
      registry: (next) => async (request, context) => {
        const answer = await next(request, context)
        const probing = new URL(request.url).pathname.includes('/probe/')
        return request.method === 'DELETE' && answer.status === 202 && !probing
          ? new Response(null, { status: 204 })
          : answer
      },
    },
  ),
]
