import { manifestTypes } from '../../../fixtures/media-types.ts'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import { asking, rewriting, to, withBody, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { changing, errorAnswer, having, path, setting, sha256, talkative, unknownIs } from '../wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { manifest, tag, manifestDigest } = path
const digestHeader = 'docker-content-digest'

/** Serves a manifest only to a client whose Accept passes. */
const acceptable = (passes: (accept: string | null, type: string) => boolean) =>
  changing('GET', manifest, (response, request) =>
    passes(request.headers.get('accept'), response.headers.get('content-type') ?? '')
      ? response
      : errorAnswer(404, 'MANIFEST_UNKNOWN'),
  )

const listedType = ['oci.pull.manifest.accept.listed-type']

export const faults = [
  interoperability(
    'oci.pull.manifest.accept.first-only',
    'only the first type of Accept is read',
    listedType,
    {
      registry: acceptable((accept, type) => accept?.split(',')[0]?.trim() === type),
    },
    'repeats the request with one type in Accept',
  ),
  interoperability('oci.pull.manifest.accept.last-only', 'only the last type of Accept is read', listedType, {
    registry: acceptable((accept, type) => accept?.split(',').at(-1)?.trim() === type),
  }),
  interoperability(
    'oci.pull.manifest.accept.no-weights',
    'a type with a weight in Accept is not recognised',
    listedType,
    {
      registry: acceptable(
        (accept, type) =>
          accept === null || accept.split(',').some((one) => [type, '*/*'].includes(one.trim())),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.accept.no-space',
    'a list in Accept is split at comma and space, and nowhere else',
    listedType,
    {
      registry: acceptable(
        (accept, type) =>
          accept === null || accept.split(', ').some((one) => [type, '*/*'].includes(one.replace(/;.*/, ''))),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.accept.explicit',
    'a manifest is hidden from a client that does not list its type',
    ['oci.pull.manifest.accept.wildcard'],
    {
      registry: acceptable((accept, type) => accept?.includes(type) ?? false),
    },
    'lists every type of manifest in Accept',
  ),
  interoperability(
    'oci.pull.manifest.accept.no-wildcard',
    'Accept: */* is taken for a media type',
    ['oci.pull.manifest.accept.wildcard'],
    {
      registry: acceptable((accept) => accept !== '*/*'),
    },
  ),
  corruption(
    'oci.pull.manifest.accept.for-people',
    'a manifest is indented for a client that sends no Accept',
    ['oci.pull.manifest.accept.wildcard'],
    {
      registry: changing('GET', manifest, (response, request) =>
        request.headers.has('accept')
          ? response
          : withBody(response, (bytes) =>
              JSON.stringify(JSON.parse(Buffer.from(bytes).toString()), undefined, 2),
            ),
      ),
    },
  ),
  corruption(
    'oci.pull.manifest.accept.converted',
    'an index is converted for a client that accepts only images',
    ['oci.pull.manifest.accept.no-conversion'],
    {
      registry: changing('GET', manifestDigest, (response, request) => {
        const converted =
          response.headers.get('content-type') === manifestTypes.ociIndex &&
          request.headers.get('accept') === manifestTypes.ociManifest
        return converted
          ? Response.json({ schemaVersion: 2 }, { headers: { 'content-type': manifestTypes.ociManifest } })
          : response
      }),
    },
    'hashes what it received and compares with the digest that it asked for',
  ),
  corruption(
    'oci.pull.manifest.accept.to-docker',
    'an image is converted for a client that accepts only Docker',
    ['oci.pull.manifest.accept.no-conversion'],
    {
      registry: changing('GET', manifestDigest, async (response, request) => {
        if (request.headers.get('accept') !== manifestTypes.dockerManifest) return response
        return new Response(
          (await response.text()).replaceAll(
            'vnd.oci.image.manifest.v1',
            'vnd.docker.distribution.manifest.v2',
          ),
          { headers: response.headers },
        )
      }),
    },
  ),
  interoperability(
    'oci.pull.manifest.etag.ignored',
    'If-None-Match is ignored although an ETag is sent',
    ['oci.pull.manifest.etag.conditional'],
    {
      registry: asking(to('GET', manifest), (request) => {
        const headers = new Headers(request.headers)
        headers.delete('if-none-match')
        return new Request(request.url, { headers })
      }),
    },
  ),
  corruption(
    'oci.pull.manifest.etag.always',
    'any If-None-Match is answered with 304',
    ['oci.pull.manifest.etag.conditional'],
    {
      registry: changing('GET', manifest, (response, request) =>
        request.headers.has('if-none-match') ? withStatus(response, 304) : response,
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.etag.412',
    'If-None-Match is answered with 412',
    ['oci.pull.manifest.etag.conditional'],
    {
      registry: rewriting(
        to('GET', manifest),
        having(304, (response) => withStatus(response, 412)),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.etag.304-body',
    'a 304 has a body',
    ['oci.pull.manifest.etag.conditional'],
    { registry: talkative('GET', 304) },
    'closes the connection after a 304',
  ),
  interoperability(
    'oci.pull.manifest.head.405',
    'HEAD of a manifest answers 405',
    ['oci.pull.manifest.head.by-tag.200', 'oci.pull.manifest.head.by-digest.200'],
    {
      registry: changing('HEAD', manifest, (response) => withStatus(response, 405)),
    },
    'falls back to GET',
  ),
  interoperability(
    'oci.pull.manifest.head.tags-404',
    'HEAD finds manifests by digest only',
    ['oci.pull.manifest.head.by-tag.200'],
    {
      registry: changing('HEAD', tag, (response) => withStatus(response, 404)),
    },
    'falls back to GET',
  ),
  interoperability(
    'oci.pull.manifest.head.digests-403',
    'HEAD of a digest answers 403',
    ['oci.pull.manifest.head.by-digest.200'],
    {
      registry: changing('HEAD', manifestDigest, (response) => withStatus(response, 403)),
    },
  ),
  interoperability(
    'oci.pull.manifest.head.index-404',
    'HEAD does not find an index',
    ['oci.pull.manifest.head.by-digest.200', 'oci.pull.manifest.head.by-tag.200'],
    {
      registry: changing('HEAD', manifest, (response) =>
        response.headers.get('content-type') === manifestTypes.ociIndex
          ? withStatus(response, 404)
          : response,
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.head.204',
    'HEAD of a manifest answers 204, as it has no body',
    ['oci.pull.manifest.head.by-tag.200', 'oci.pull.manifest.head.by-digest.200'],
    {
      registry: changing('HEAD', manifest, (response) => withStatus(response, 204)),
    },
  ),
  interoperability(
    'oci.pull.manifest.head.no-length',
    'HEAD of a manifest does not tell its size',
    ['oci.pull.manifest.head.content-length'],
    {
      registry: setting('HEAD', manifest, { 'content-length': null }),
    },
  ),
  interoperability(
    'oci.pull.manifest.head.no-length-by-tag',
    'HEAD of a tag does not tell the size of the manifest',
    ['oci.pull.manifest.head.content-length'],
    {
      registry: setting('HEAD', tag, { 'content-length': null }),
    },
  ),
  interoperability(
    'oci.pull.manifest.head.no-digest',
    'HEAD of a manifest does not tell its digest',
    ['oci.pull.manifest.head.digest-header'],
    {
      registry: setting('HEAD', manifest, { [digestHeader]: null }),
    },
    'pulls the manifest to learn its digest',
  ),
  interoperability(
    'oci.pull.manifest.head.no-digest-of-index',
    'HEAD of an index does not tell its digest',
    ['oci.pull.manifest.head.digest-header'],
    {
      registry: changing('HEAD', tag, (response) =>
        response.headers.get('content-type') === manifestTypes.ociIndex
          ? withHeaders(response, { [digestHeader]: null })
          : response,
      ),
    },
  ),
  corruption(
    'oci.pull.manifest.head.digest-of-child',
    'HEAD of the tag of an index tells the digest of an image in it',
    ['oci.pull.manifest.head.digest-header.true'],
    {
      registry: changing('HEAD', tag, (response) =>
        response.headers.get('content-type') === manifestTypes.ociIndex
          ? withHeaders(response, { [digestHeader]: sha256('child') })
          : response,
      ),
    },
    'pulls by the digest and finds that it is another',
  ),
  corruption(
    'oci.pull.manifest.head.digest-of-nothing',
    'HEAD of a manifest tells the digest of no bytes',
    ['oci.pull.manifest.head.digest-header.true'],
    {
      registry: setting('HEAD', manifestDigest, { [digestHeader]: sha256('') }),
    },
  ),
  interoperability(
    'oci.pull.manifest.head.digest-weak',
    'HEAD of a manifest tells its digest as a weak ETag would be',
    ['oci.pull.manifest.head.digest-header.true'],
    {
      registry: changing('HEAD', manifest, (response) =>
        withHeaders(response, { [digestHeader]: `W/"${response.headers.get(digestHeader)}"` }),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.head.unknown-200',
    'HEAD of an unknown tag answers 200',
    ['oci.pull.manifest.head.unknown.404'],
    { registry: unknownIs('HEAD', tag, 200) },
  ),
  interoperability(
    'oci.pull.manifest.head.unknown-digest-500',
    'HEAD of an unknown digest answers 500',
    ['oci.pull.manifest.head.unknown.404'],
    { registry: unknownIs('HEAD', manifestDigest, 500) },
  ),
  interoperability(
    'oci.pull.manifest.head.unknown-400',
    'HEAD of an unknown tag answers 400',
    ['oci.pull.manifest.head.unknown.404'],
    { registry: unknownIs('HEAD', tag, 400) },
  ),
]
