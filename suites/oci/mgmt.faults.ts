import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, to } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Manifest } from '../../mocks/registry/stores.ts'
import { restatus, storing } from './seams.faults.ts'
import { errorAnswer, path } from './wire.ts'

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

/** What was deleted once counts as there when it is pushed again. */
const remembering = (part: 'blobs' | 'manifests'): Seams => ({
  stores: (all) => {
    const gone = new Set<string>()
    const { blobs, manifests } = all
    return part === 'blobs'
      ? {
          ...all,
          blobs: {
            ...blobs,
            record: async (name, one) =>
              gone.has(`${name} ${one.digest}`) ? 'recorded' : await blobs.record(name, one),
            remove(name, digest) {
              gone.add(`${name} ${digest}`)
              return blobs.remove(name, digest)
            },
          },
        }
      : {
          ...all,
          manifests: {
            ...manifests,
            async put(name, one, tags) {
              if (!gone.has(`${name} ${one.digest}`)) await manifests.put(name, one, tags)
            },
            remove(name, digest) {
              gone.add(`${name} ${digest}`)
              return manifests.remove(name, digest)
            },
          },
        }
  },
})

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
    'oci.mgmt.blob.all-deleted',
    'deleting a blob deletes it from every repository',
    ['oci.mgmt.blob.delete.other-repo-stays'],
    storing('blobs', (blobs) => ({
      async remove(name, digest) {
        for (const each of await blobs.holders(digest, { last: '', limit: 100 })) {
          if (each !== name) await blobs.remove(each, digest)
        }
        return blobs.remove(name, digest)
      },
    })),
  ),
  corruption(
    'oci.mgmt.blob.repush-skipped',
    'a deleted blob that is pushed again is acknowledged and not recorded',
    ['oci.mgmt.blob.delete.repush'],
    remembering('blobs'),
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
    manifestGone,
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
    'oci.mgmt.manifest.repush-skipped',
    'a deleted manifest that is pushed again is acknowledged and not stored',
    ['oci.mgmt.manifest.delete.repush'],
    remembering('manifests'),
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
