import { manifestTypes } from '../../../fixtures/media-types.ts'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, to, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import type { NewManifest } from '../../../mocks/registry/stores.ts'
import { heading, misread, type Reading, restatus, storing } from '../seams.faults.ts'
import { errorAnswer, having, path, rewording, sha256, type Wire } from '../wire.ts'

const { corruption, interoperability, cosmetic } = faultKinds<Seams>()
const { manifest, tag, manifestDigest } = path
const digestHeader = 'docker-content-digest'
const other = sha256('another manifest')

const byTag = 'oci.push.manifest.put.by-tag.201'
const byDigest = 'oci.push.manifest.put.by-digest.201'
const location = ['oci.push.manifest.put.location']
const pullable = ['oci.push.manifest.put.location-pullable']
const digestTrue = ['oci.push.manifest.put.digest-header.true']
const mismatch = ['oci.push.manifest.put.digest-mismatch.400']
const invalidJson = ['oci.push.manifest.put.invalid-json.4xx']
const invalidSchema = ['oci.push.manifest.put.invalid-schema.4xx']
const rejected = ['oci.push.manifest.rejected-not-stored']
const missing = ['oci.push.manifest.missing-blob.code', 'oci.push.manifest.missing-child.code']
const tooLarge = ['oci.push.manifest.size.limit-413']
const falseClaim = ['oci.push.manifest.subject.no-false-claim']
const subjectTold = ['oci.push.manifest.subject.oci-subject']

const pushed = (headers: (response: Response, request: Request) => Record<string, string | null>) =>
  heading('PUT', manifest, 201, headers)

/** Reads a pushed manifest as JSON; a body that is none has no members. */
function membersOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Refuses manifests that have something the specification allows. */
const refusing = (
  has: (members: Readonly<Record<string, unknown>>, reading: Reading) => boolean,
  status = 400,
): Seams => ({
  registry:
    (next: Wire): Wire =>
    async (request, context) => {
      if (!to('PUT', manifest)(request)) return next(request, context)
      const body = new Uint8Array(await request.arrayBuffer())
      const { url, headers } = request
      const refused = has(membersOf(body), { url: new URL(url), headers, body })
      return refused
        ? errorAnswer(status, 'MANIFEST_INVALID')
        : next(new Request(url, { method: 'PUT', headers, body }), {})
    },
})

/** Stores what it refuses: the refusal is the registry's own, and a client that asks is served. */
const keeping = (kept: (reference: string) => boolean): Seams => ({
  registry: (next: Wire): Wire => {
    const stored = new Map<string, Response>()
    return async (request, context) => {
      const { pathname } = new URL(request.url)
      const refused = stored.get(pathname)
      if (to('PUT', manifest)(request)) {
        const body = await request.arrayBuffer()
        const { url, headers } = request
        const answer = await next(new Request(url, { method: 'PUT', headers, body }), {})
        const digest = sha256(new Uint8Array(body))
        for (const reference of [digest, pathname.split('/').at(-1) ?? '']) {
          if (answer.status < 400 || !kept(reference)) continue
          stored.set(
            pathname.replace(/[^/]+$/, reference),
            new Response(body, { headers: { 'content-type': manifestTypes.ociManifest } }),
          )
        }
        return answer
      }
      const answer = await next(request, context)
      return refused && answer.status === 404 ? refused.clone() : answer
    }
  },
})

const changed = (change: (pushedOne: NewManifest) => NewManifest): Seams =>
  storing('manifests', (manifests) => ({ put: (name, one, tags) => manifests.put(name, change(one), tags) }))

const recoded = (from: string, code: string): Seams => ({
  registry: rewriting(to('PUT', manifest), async (response) => {
    if (response.status < 400) return response
    const text = (await response.text()).replaceAll(from, code)
    return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
  }),
})

const typeOf = ({ headers }: Reading) => headers.get('content-type') ?? ''
const configOf = ({ config }: Readonly<Record<string, unknown>>) => JSON.stringify(config ?? {})

export const faults = [
  interoperability(
    'oci.push.manifest.put-200',
    'a pushed manifest is answered with 200',
    [byTag, byDigest],
    restatus('PUT', manifest, 201, 200),
  ),
  interoperability(
    'oci.push.manifest.put-202',
    'a pushed manifest is answered with 202, as by an early edition',
    [byTag, byDigest],
    restatus('PUT', manifest, 201, 202),
  ),
  corruption(
    'oci.push.manifest.put-forgotten',
    'a manifest is acknowledged and not stored',
    [byTag, byDigest, ...pullable],
    storing('manifests', () => ({ put: () => Promise.resolve() })),
  ),
  corruption(
    'oci.push.manifest.tag-alone',
    'a manifest that is pushed by a tag is not found by its digest',
    [byTag],
    {
      registry: (next) => {
        const known = new Set<string>()
        return rewriting(to('*', manifest), (response, { method, url }) => {
          const { pathname } = new URL(url)
          if (method === 'PUT') {
            if (pathname.includes(':')) known.add(pathname)
            return response
          }
          return pathname.includes(':') && !known.has(pathname) ? withStatus(response, 404) : response
        })(next)
      },
    },
  ),
  corruption(
    'oci.push.manifest.tag-lost',
    'a manifest is stored without its tag',
    [byTag],
    storing('manifests', (manifests) => ({ put: (name, one) => manifests.put(name, one, []) })),
  ),
  interoperability(
    'oci.push.manifest.no-location',
    'the 201 to a manifest has no Location',
    location,
    pushed(() => ({ location: null })),
  ),
  interoperability(
    'oci.push.manifest.location-empty',
    'the Location of a pushed manifest is empty',
    location,
    pushed(() => ({ location: '' })),
  ),
  interoperability(
    'oci.push.manifest.location-blob',
    'the Location of a pushed manifest leads to a blob',
    pullable,
    pushed(({ headers }) => ({
      location: headers.get('location')?.replace('/manifests/', '/blobs/') ?? null,
    })),
  ),
  interoperability(
    'oci.push.manifest.location-without-v2',
    'the Location of a pushed manifest lacks /v2',
    pullable,
    pushed(({ headers }) => ({ location: headers.get('location')?.replace(/^\/v2/, '') ?? null })),
  ),
  corruption(
    'oci.push.manifest.digest-other',
    'the 201 to a manifest names another digest',
    digestTrue,
    pushed(() => ({ [digestHeader]: other })),
    'computes the digest itself',
  ),
  corruption(
    'oci.push.manifest.digest-of-canonical',
    'the 201 to a manifest names the digest of another spelling of it',
    digestTrue,
    {
      registry:
        (next: Wire): Wire =>
        async (request, context) => {
          if (!to('PUT', manifest)(request)) return next(request, context)
          const body = await request.arrayBuffer()
          const { url, headers } = request
          const answer = await next(new Request(url, { method: 'PUT', headers, body }), {})
          const canonical = JSON.stringify(membersOf(new Uint8Array(body)), null, 3)
          return answer.status === 201 ? withHeaders(answer, { [digestHeader]: sha256(canonical) }) : answer
        },
    },
  ),
  interoperability(
    'oci.push.manifest.retag-conflict',
    'the same manifest cannot be pushed to its tag again',
    ['oci.push.manifest.put.retag-idempotent'],
    {
      registry: (next) => {
        const pushedTags = new Set<string>()
        return rewriting(
          to('PUT', tag),
          having(201, (response, { url }) => {
            if (pushedTags.has(url)) return errorAnswer(409, 'DENIED')
            pushedTags.add(url)
            return response
          }),
        )(next)
      },
    },
  ),
  cosmetic(
    'oci.push.manifest.retag-listed-twice',
    'a tag that is pushed twice is listed twice',
    ['oci.push.manifest.put.retag-idempotent'],
    {
      stores: ({ manifests, tags, ...rest }) => {
        const times = new Map<string, number>()
        return {
          ...rest,
          manifests: {
            ...manifests,
            put(name, one, given) {
              for (const each of given) times.set(each, (times.get(each) ?? 0) + 1)
              return manifests.put(name, one, given)
            },
          },
          tags: {
            ...tags,
            list: async (name, page) =>
              (await tags.list(name, page)).flatMap((one) => Array<string>(times.get(one) ?? 1).fill(one)),
          },
        }
      },
    },
  ),
  interoperability(
    'oci.push.manifest.type-parameters-refused',
    'a Content-Type with a parameter is not recognised',
    ['oci.push.manifest.put.content-type-params'],
    refusing((_, reading) => typeOf(reading).includes(';'), 415),
  ),
  corruption(
    'oci.push.manifest.type-from-header',
    'a manifest is stored under its Content-Type, whatever its mediaType is',
    ['oci.push.manifest.put.content-type-mismatch'],
    {
      registry: (next: Wire): Wire => {
        const types = new Map<string, string>()
        const lax = misread(to('PUT', manifestDigest), ({ url, headers, body }) => {
          const own = membersOf(body)['mediaType']
          types.set(url.pathname, headers.get('content-type') ?? '')
          if (typeof own === 'string') headers.set('content-type', own)
          return { headers }
        })(next)
        return rewriting(
          to('GET', manifestDigest),
          having(200, (response, { url }) =>
            withHeaders(response, { 'content-type': types.get(new URL(url).pathname) ?? null }),
          ),
        )(lax)
      },
    },
    'compares Content-Type and mediaType',
  ),
  interoperability(
    'oci.push.manifest.no-media-type-refused',
    'a manifest without mediaType is refused',
    ['oci.push.manifest.put.no-mediatype'],
    refusing((members) => !('mediaType' in members)),
  ),
  corruption(
    'oci.push.manifest.digest-unchecked',
    'a manifest is taken by a digest that is not its own',
    mismatch,
    {
      registry: misread(to('PUT', manifestDigest), ({ url, body }) => {
        url.pathname = url.pathname.replace(/[^/]+$/, sha256(body))
        return { url }
      }),
    },
    'computes the digest of what it pulls',
  ),
  interoperability(
    'oci.push.manifest.digest-mismatch-500',
    'a manifest pushed by another digest answers 500',
    mismatch,
    restatus('PUT', manifestDigest, 400, 500),
  ),
  corruption(
    'oci.push.manifest.digest-mismatch-stored',
    'a manifest that is refused for its digest is served under it',
    mismatch,
    keeping((reference) => reference.includes(':')),
  ),
  interoperability(
    'oci.push.manifest.invalid-500',
    'a manifest that is none answers 500',
    [...invalidJson, ...invalidSchema],
    restatus('PUT', manifest, 400, 500),
  ),
  corruption(
    'oci.push.manifest.invalid-taken',
    'a manifest that is none is acknowledged',
    [...invalidJson, ...invalidSchema],
    restatus('PUT', tag, 400, 201),
    'validates what it pulls',
  ),
  interoperability(
    'oci.push.manifest.size-mismatch-500',
    'a wrong size in a descriptor answers 500',
    ['oci.push.manifest.put.size-mismatch'],
    {
      registry: rewriting(to('PUT', /\/manifests\/wrong-size$/), (response) => withStatus(response, 500)),
    },
  ),
  corruption(
    'oci.push.manifest.refused-yet-tagged',
    'a manifest that is refused is served by its tag',
    rejected,
    keeping((reference) => !reference.includes(':')),
  ),
  corruption(
    'oci.push.manifest.refused-yet-stored',
    'a manifest that is refused is served by its digest',
    rejected,
    keeping((reference) => reference.includes(':')),
  ),
  corruption(
    'oci.push.manifest.refused-yet-listed',
    'the tag of a manifest that is refused is listed',
    rejected,
    { registry: rewording(/\/tags\/list$/, (text) => text.replace('"tags":[', '"tags":["refused-0",')) },
  ),
  corruption(
    'oci.push.manifest.refused-untags',
    'a refused manifest takes its tag away from the one that had it',
    rejected,
    {
      registry: (next) => {
        const lost = new Set<string>()
        return rewriting(to('*', tag), (response, { method, url }) => {
          if (method === 'PUT' && response.status >= 400) lost.add(url)
          return lost.has(url) && response.status === 200 ? withStatus(response, 404) : response
        })(next)
      },
    },
  ),
  interoperability(
    'oci.push.manifest.missing-other-code',
    'a manifest with an absent blob is refused as MANIFEST_INVALID',
    missing,
    recoded('MANIFEST_BLOB_UNKNOWN', 'MANIFEST_INVALID'),
  ),
  interoperability(
    'oci.push.manifest.missing-blob-unknown',
    'a manifest with an absent blob is refused as BLOB_UNKNOWN',
    missing,
    recoded('MANIFEST_BLOB_UNKNOWN', 'BLOB_UNKNOWN'),
    'reads both codes as a blob to upload',
  ),
  corruption(
    'oci.push.manifest.missing-elsewhere',
    'a blob that only another repository has counts as there',
    ['oci.push.manifest.missing-blob.consistent'],
    {
      stores: ({ manifests, blobs, ...rest }) => ({
        ...rest,
        blobs,
        manifests: {
          ...manifests,
          async absent(name, digests) {
            const found = await manifests.absent(name, digests)
            const holders = await Promise.all(found.map((one) => blobs.holders(one, { last: '', limit: 1 })))
            return found.filter((_, index) => holders[index]?.length === 0)
          },
        },
      }),
    },
  ),
  interoperability(
    'oci.push.manifest.subject-must-exist',
    'a manifest whose subject is not there is refused',
    ['oci.push.manifest.subject-missing.accepted'],
    refusing(({ subject }) => subject !== undefined, 404),
    'pushes the subject first',
  ),
  interoperability(
    'oci.push.manifest.nondistributable-500',
    'a layer that may not be distributed answers 500',
    ['oci.push.manifest.nondistributable'],
    refusing((_, { body }) => Buffer.from(body).includes('nondistributable'), 500),
  ),
  interoperability(
    'oci.push.manifest.layers-required',
    'a manifest without layers is refused',
    ['oci.push.manifest.layers-empty'],
    refusing(({ layers }) => Array.isArray(layers) && layers.length === 0),
  ),
  interoperability(
    'oci.push.manifest.index-refused',
    'an image index is refused',
    ['oci.push.manifest.index', 'oci.push.manifest.index-nested'],
    refusing((_, reading) => typeOf(reading) === manifestTypes.ociIndex, 415),
  ),
  corruption(
    'oci.push.manifest.index-as-image',
    'an index is served under the type of an image',
    ['oci.push.manifest.index'],
    changed((one) =>
      one.contentType === manifestTypes.ociIndex ? { ...one, contentType: manifestTypes.ociManifest } : one,
    ),
  ),
  interoperability(
    'oci.push.manifest.index-empty-refused',
    'an index without manifests is refused',
    ['oci.push.manifest.index-nested'],
    refusing(({ manifests }) => Array.isArray(manifests) && manifests.length === 0),
  ),
  interoperability(
    'oci.push.manifest.config-unknown',
    'a type of config that is not that of an image is refused',
    ['oci.push.manifest.artifact-type'],
    refusing(
      (members) => 'config' in members && !configOf(members).includes('application/vnd.oci.image.config'),
    ),
  ),
  corruption(
    'oci.push.manifest.data-dropped',
    'data is taken out of descriptors',
    ['oci.push.manifest.data-field'],
    changed((one) => ({ ...one, content: one.content.replace(/,"data":"[^"]*"/g, '') })),
  ),
  interoperability(
    'oci.push.manifest.data-refused',
    'a descriptor with data is refused',
    ['oci.push.manifest.data-field'],
    refusing((members) => configOf(members).includes('"data"')),
  ),
  corruption(
    'oci.push.manifest.unknown-dropped',
    'a manifest keeps the members that the registry knows',
    ['oci.push.manifest.unknown-fields'],
    {
      stores: ({ manifests, ...rest }) => ({
        ...rest,
        manifests: {
          ...manifests,
          put(name, one, tags) {
            const { schemaVersion, mediaType, config, layers } = membersOf(Buffer.from(one.content))
            const content = layers
              ? JSON.stringify({ schemaVersion, mediaType, config, layers })
              : one.content
            return manifests.put(name, { ...one, content }, tags)
          },
        },
      }),
    },
  ),
  interoperability(
    'oci.push.manifest.docker-500',
    'Docker manifests answer 500',
    ['oci.push.manifest.docker-v2s2'],
    refusing((_, reading) => typeOf(reading).includes('docker'), 500),
  ),
  corruption(
    'oci.push.manifest.docker-converted',
    'Docker manifests are converted',
    ['oci.push.manifest.docker-v2s2'],
    changed((one) => ({
      ...one,
      content: one.content.replaceAll('vnd.docker.distribution.manifest.v2', 'vnd.oci.image.manifest.v1'),
    })),
  ),
  corruption(
    'oci.push.manifest.sha512-as-sha256',
    'a manifest pushed by its sha512 digest is not served under it',
    ['oci.push.manifest.sha512'],
    {
      registry: rewriting(to('GET', /\/manifests\/sha512:/), (response) => withStatus(response, 404)),
    },
  ),
  interoperability(
    'oci.push.manifest.limit-1mib',
    'a manifest over 1 MiB is refused',
    ['oci.push.manifest.size.4mib'],
    refusing((_, { body }) => body.length > 1 << 20, 413),
  ),
  corruption(
    'oci.push.manifest.large-cut',
    'a manifest over 1 MiB comes back cut',
    ['oci.push.manifest.size.4mib'],
    {
      registry: rewording(manifest, (text) => text.slice(0, 1 << 20)),
    },
  ),
  interoperability(
    'oci.push.manifest.limit-400',
    'a manifest over the limit answers 400',
    tooLarge,
    restatus('PUT', manifest, 413, 400),
  ),
  interoperability(
    'oci.push.manifest.limit-500',
    'a manifest over the limit answers 500',
    tooLarge,
    restatus('PUT', manifest, 413, 500),
  ),
  corruption(
    'oci.push.manifest.subject-silent',
    'the API of referrers is there, and OCI-Subject is not sent',
    subjectTold,
    pushed(() => ({ 'oci-subject': null })),
    'keeps a list under the referrers tag as well',
  ),
  interoperability(
    'oci.push.manifest.subject-own-digest',
    'OCI-Subject is the digest of the manifest itself',
    subjectTold,
    pushed(({ headers }) => (headers.has('oci-subject') ? { 'oci-subject': headers.get(digestHeader) } : {})),
  ),
  corruption(
    'oci.push.manifest.subject-claimed',
    'OCI-Subject is sent, and the manifest is not listed',
    falseClaim,
    changed(({ subject: _, ...one }) => one),
    'looks whether the list has what it pushed',
  ),
  corruption(
    'oci.push.manifest.subject-without-api',
    'OCI-Subject is sent, and there is no API of referrers',
    falseClaim,
    { registry: answering(to('GET', /\/referrers\//), () => errorAnswer(404, 'UNSUPPORTED')) },
    'looks whether the list has what it pushed',
  ),
  corruption(
    'oci.push.manifest.subject-always',
    'OCI-Subject is sent for every manifest',
    ['oci.push.manifest.subject.none-no-header'],
    pushed(({ headers }) => ({ 'oci-subject': headers.get(digestHeader) })),
  ),
]
