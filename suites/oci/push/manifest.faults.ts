import { manifestTypes } from '../../../fixtures/media-types.ts'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, to, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { misread, restatus, storing } from '../seams.faults.ts'
import { errorAnswer, having, path, rewording, sha256, type Wire } from '../wire.ts'
import { changed, membersOf, pushed, refusing } from './manifest-seams.faults.ts'

const { corruption, interoperability, cosmetic } = faultKinds<Seams>()
const { manifest, tag, manifestDigest } = path
const digestHeader = 'docker-content-digest'
const other = sha256('another manifest')

const byTag = 'oci.push.manifest.put.by-tag.201'
const byDigest = 'oci.push.manifest.put.by-digest.201'
const location = ['oci.push.manifest.put.location']
const pullable = ['oci.push.manifest.put.location-pullable']
const digestTrue = ['oci.push.manifest.put.digest-header.true']
const falseClaim = ['oci.push.manifest.subject.no-false-claim']
const subjectTold = ['oci.push.manifest.subject.oci-subject']

export const faults = [
  interoperability(
    'oci.push.manifest.put-200',
    'a pushed manifest is answered with 200',
    [
      'oci.push.manifest.layers-empty',
      'oci.push.manifest.subject-missing.accepted',
      'oci.push.manifest.data-field',
      'oci.push.manifest.unknown-fields',
      'oci.push.manifest.sha512',
      'oci.push.manifest.put.content-type-params',
      'oci.push.manifest.artifact-type',
      'oci.push.manifest.size.4mib',
      'oci.push.manifest.put.no-mediatype',
      'oci.base.tag.grammar-accepted',
      byTag,
      byDigest,
    ],
    restatus('PUT', manifest, 201, 200),
  ),
  interoperability(
    'oci.push.manifest.put-202',
    'a pushed manifest is answered with 202, as by an early edition',
    [byTag, byDigest],
    restatus('PUT', manifest, 201, 202),
  ),
  interoperability(
    'oci.push.manifest.index-200',
    'a pushed index is answered with 200',
    ['oci.push.manifest.index'],
    {
      registry: rewriting(
        to('PUT', manifest),
        having(201, (response, { headers }) =>
          headers.get('content-type') === manifestTypes.ociIndex ? withStatus(response, 200) : response,
        ),
      ),
    },
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
          const hidden = response.ok && pathname.includes(':') && !known.has(pathname)
          return hidden ? withStatus(response, 404) : response
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
  corruption(
    'oci.push.manifest.type-lost',
    'a manifest whose Content-Type is not its mediaType is stored under neither',
    ['oci.push.manifest.put.content-type-mismatch'],
    {
      registry: (next: Wire): Wire => {
        const types = new Map<string, string>()
        const lax = misread(to('PUT', manifestDigest), ({ url, headers, body }) => {
          const own = membersOf(body)['mediaType']
          const said = headers.get('content-type')
          types.set(url.pathname, said !== null && said === own ? said : 'application/json')
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
    'oci.push.manifest.subject-must-exist',
    'a manifest whose subject is not there is refused',
    ['oci.push.manifest.subject-missing.accepted'],
    refusing(({ subject }) => subject !== undefined, 404),
    'pushes the subject first',
  ),
  corruption(
    'oci.push.manifest.index-as-image',
    'an index is served under the type of an image',
    ['oci.push.manifest.index'],
    changed((one) =>
      one.contentType === manifestTypes.ociIndex ? { ...one, contentType: manifestTypes.ociManifest } : one,
    ),
  ),
  corruption(
    'oci.push.manifest.data-dropped',
    'data is taken out of descriptors',
    ['oci.push.manifest.data-field'],
    changed((one) => ({ ...one, content: one.content.replace(/,"data":"[^"]*"/g, '') })),
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
  cosmetic(
    'oci.push.manifest.sha512-told-as-sha256',
    'the 201 to a manifest pushed by its sha512 digest names its sha256 digest',
    ['oci.push.manifest.sha512'],
    {
      registry: rewriting(to('PUT', /\/manifests\/sha512:/), (response) =>
        withHeaders(response, { 'docker-content-digest': sha256('as sha256') }),
      ),
    },
  ),
  corruption(
    'oci.push.manifest.large-cut',
    'a manifest over 1 MiB comes back cut',
    ['oci.push.manifest.size.4mib'],
    {
      registry: rewording(manifest, (text) => text.slice(0, 1 << 20)),
    },
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
