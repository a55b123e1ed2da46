import { manifestTypes } from '../../../fixtures/media-types.ts'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, to, withHeaders } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import type { NewManifest, Referrer } from '../../../mocks/registry/stores.ts'
import { restatus, storing } from '../seams.faults.ts'
import { changing, errorAnswer, having, setting } from '../wire.ts'
import { indexed, isIndex, list, relisting } from './referrers/seams.faults.ts'

const { corruption, security, interoperability } = faultKinds<Seams>()

const complete = 'oci.discovery.referrers.complete'
const onlyMatching = 'oci.discovery.referrers.only-matching'
const invalidDigest = ['oci.discovery.referrers.invalid-digest.400']
const shape = 'oci.discovery.referrers.index-shape'
const empty = 'oci.discovery.referrers.empty'
const sameRepo = 'oci.discovery.referrers.same-repo'

const hidden = ({ subject: _, ...manifest }: NewManifest): NewManifest => manifest

export const faults = [
  interoperability(
    'oci.discovery.referrers.204',
    'the list of referrers answers 204',
    ['oci.discovery.referrers.never-404', 'oci.discovery.referrers.200'],
    {
      registry: rewriting(
        to('GET', list),
        having(200, (response, { url }) =>
          url.includes('/probe/') ? response : new Response(null, { status: 204 }),
        ),
      ),
    },
  ),
  corruption(
    'oci.discovery.referrers.none',
    'no referrer is listed',
    [complete, 'oci.discovery.referrers.200'],
    relisting((index) => ({ ...index, manifests: [] })),
  ),
  interoperability(
    'oci.discovery.referrers.unknown-404',
    'a digest without referrers answers 404',
    ['oci.discovery.referrers.never-404', empty],
    {
      registry: changing('GET', list, async (response, { url }) =>
        !url.includes('/probe/') && (await response.clone().text()).includes('"manifests":[]')
          ? errorAnswer(404, 'MANIFEST_UNKNOWN')
          : response,
      ),
    },
    'reads 404 as a registry without the API',
  ),
  interoperability(
    'oci.discovery.referrers.invalid-404',
    'a malformed digest answers 404',
    invalidDigest,
    restatus('GET', list, 400, 404),
  ),
  interoperability(
    'oci.discovery.referrers.invalid-200',
    'a malformed digest has a list of no referrers',
    invalidDigest,
    {
      registry: rewriting(
        to('GET', list),
        having(400, () =>
          Response.json(
            { schemaVersion: 2, manifests: [] },
            { headers: { 'content-type': manifestTypes.ociIndex } },
          ),
        ),
      ),
    },
  ),
  interoperability(
    'oci.discovery.referrers.json',
    'the list is labelled application/json',
    ['oci.discovery.referrers.content-type'],
    { registry: setting('GET', list, { 'content-type': 'application/json' }) },
  ),
  interoperability(
    'oci.discovery.referrers.no-schema-version',
    'the list has no schemaVersion',
    [shape],
    relisting(({ schemaVersion: _, ...index }) => index),
  ),
  interoperability(
    'oci.discovery.referrers.schema-version-text',
    'the schemaVersion of the list is a string',
    [shape],
    relisting((index) => ({ ...index, schemaVersion: '2' })),
  ),
  interoperability(
    'oci.discovery.referrers.media-type-other',
    'the mediaType of the list is that of an image',
    [shape],
    relisting((index) => ({ ...index, mediaType: manifestTypes.ociManifest })),
  ),
  interoperability(
    'oci.discovery.referrers.named-referrers',
    'the list is told in a member referrers',
    [shape, empty],
    relisting(({ manifests, ...index }) => ({ ...index, referrers: manifests })),
  ),
  interoperability(
    'oci.discovery.referrers.empty-null',
    'a list of no referrers is null',
    [empty],
    relisting(({ manifests, ...index }) => ({
      ...index,
      manifests: Array.isArray(manifests) && manifests.length > 0 ? manifests : null,
    })),
  ),
  interoperability(
    'oci.discovery.referrers.206',
    'the list of referrers answers 206, as if it were a part of a file',
    ['oci.discovery.referrers.200'],
    restatus('GET', list, 200, 206),
  ),
  interoperability(
    'oci.discovery.referrers.of-nothing',
    'manifests that refer to nothing are listed with every digest',
    [empty],
    storing('manifests', (manifests) => {
      const loose = new Map<string, Referrer[]>()
      return {
        put(name, manifest, tags) {
          if (manifest.subject === undefined) loose.set(name, [...(loose.get(name) ?? []), manifest])
          return manifests.put(name, manifest, tags)
        },
        referrers: async (name, subject, page) => [
          ...(await manifests.referrers(name, subject, page)),
          ...(loose.get(name) ?? []),
        ],
      }
    }),
  ),
  corruption(
    'oci.discovery.referrers.tagged-hidden',
    'referrers that were pushed by a tag are not listed',
    [complete],
    indexed((manifest, tags) => (tags.length > 0 ? hidden(manifest) : manifest)),
  ),
  corruption(
    'oci.discovery.referrers.indexes-hidden',
    'an index with a subject is not listed',
    [complete],
    indexed((manifest) => (isIndex(manifest) ? hidden(manifest) : manifest)),
  ),
  corruption(
    'oci.discovery.referrers.images-hidden',
    'an image without an artifactType is not listed',
    [complete],
    indexed((manifest) => (manifest.content.includes('"artifactType"') ? manifest : hidden(manifest))),
  ),
  corruption(
    'oci.discovery.referrers.early-hidden',
    'a referrer that was pushed before its subject is not listed',
    [complete],
    storing('manifests', (manifests) => ({
      async put(name, manifest, tags) {
        const { subject } = manifest
        const known = subject !== undefined && (await manifests.find(name, subject))
        await manifests.put(name, known ? manifest : hidden(manifest), tags)
      },
    })),
  ),
  interoperability(
    'oci.discovery.referrers.twice',
    'referrers are listed twice',
    [onlyMatching, complete],
    storing('manifests', (manifests) => ({
      referrers: async (name, subject, page) =>
        (await manifests.referrers(name, subject, page)).flatMap((one) => [one, one]),
    })),
  ),
  security('oci.discovery.referrers.of-others', 'referrers of every subject are listed', [onlyMatching], {
    stores: ({ manifests, ...rest }) => {
      const subjects = new Map<string, Set<string>>()
      return {
        ...rest,
        manifests: {
          ...manifests,
          put(name, manifest, tags) {
            const { subject } = manifest
            if (subject !== undefined) subjects.set(name, (subjects.get(name) ?? new Set()).add(subject))
            return manifests.put(name, manifest, tags)
          },
          async referrers(name, _subject, page) {
            const all = [...(subjects.get(name) ?? [])]
            return (await Promise.all(all.map((one) => manifests.referrers(name, one, page)))).flat()
          },
        },
      }
    },
  }),
  security(
    'oci.discovery.referrers.of-other-repositories',
    'referrers of every repository are listed',
    [sameRepo],
    {
      stores: ({ manifests, ...rest }) => {
        const names = new Set<string>()
        return {
          ...rest,
          manifests: {
            ...manifests,
            put(name, manifest, tags) {
              names.add(name)
              return manifests.put(name, manifest, tags)
            },
            referrers: async (_name, subject, page) =>
              (await Promise.all([...names].map((one) => manifests.referrers(one, subject, page)))).flat(),
          },
        }
      },
    },
  ),
  corruption(
    'oci.discovery.referrers.in-first-repository',
    'where two repositories have the subject, its referrers are listed in the first alone',
    [sameRepo],
    storing('manifests', (manifests) => {
      const first = new Map<string, string>()
      return {
        put(name, manifest, tags) {
          first.set(manifest.digest, first.get(manifest.digest) ?? name)
          return manifests.put(name, manifest, tags)
        },
        referrers: async (name, subject, page) =>
          (first.get(subject) ?? name) === name ? await manifests.referrers(name, subject, page) : [],
      }
    }),
  ),
  interoperability(
    'oci.discovery.referrers.deleted-listed',
    'a referrer that was deleted is still listed',
    ['oci.discovery.referrers.deleted-gone'],
    {
      stores: ({ manifests, ...rest }) => {
        const seen = new Map<string, Map<string, Referrer>>()
        return {
          ...rest,
          manifests: {
            ...manifests,
            async put(name, manifest, tags) {
              await manifests.put(name, manifest, tags)
              const { subject } = manifest
              if (subject === undefined) return
              const key = `${name} ${subject}`
              const known = seen.get(key) ?? new Map<string, Referrer>()
              seen.set(key, known.set(manifest.digest, manifest))
            },
            referrers: (name, subject) =>
              Promise.resolve([...(seen.get(`${name} ${subject}`)?.values() ?? [])]),
          },
        }
      },
    },
  ),
  interoperability(
    'oci.discovery.referrers.subject-deleted-404',
    'the referrers of a deleted subject answer 404',
    ['oci.discovery.referrers.subject-deleted'],
    {
      registry: (next) => {
        const deleted = new Set<string>()
        return async (request, context) => {
          const { pathname } = new URL(request.url)
          if (request.method === 'DELETE') deleted.add(pathname.replace('/manifests/', '/referrers/'))
          return deleted.has(pathname) && request.method === 'GET'
            ? errorAnswer(404, 'MANIFEST_UNKNOWN')
            : next(request, context)
        }
      },
    },
  ),
  corruption(
    'oci.discovery.referrers.sha512-none',
    'referrers of a subject named by sha512 are not listed',
    ['oci.discovery.referrers.sha512-subject'],
    indexed((manifest) => (manifest.subject?.startsWith('sha512:') ? hidden(manifest) : manifest)),
  ),
  interoperability(
    'oci.discovery.referrers.tag-schema-refused',
    'there is no API of referrers, and their tag is refused',
    ['oci.discovery.referrers.tag-schema.usable'],
    {
      registry: (next) =>
        rewriting(to('PUT', /\/manifests\//), (response) => withHeaders(response, { 'oci-subject': null }))(
          answering(
            (request) => to('GET', list)(request) || to('PUT', /\/manifests\/sha256-[0-9a-f]+$/)(request),
            () => errorAnswer(404, 'UNSUPPORTED'),
          )(next),
        ),
    },
  ),
]
