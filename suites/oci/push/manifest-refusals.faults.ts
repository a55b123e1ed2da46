import { manifestTypes } from '../../../fixtures/media-types.ts'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, to, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { misread, restatus } from '../seams.faults.ts'
import { path, rewording, sha256 } from '../wire.ts'
import { configOf, keeping, recoded, refusing, typeOf } from './manifest-seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { manifest, tag, manifestDigest } = path

const mismatch = ['oci.push.manifest.put.digest-mismatch.400']
const invalidJson = ['oci.push.manifest.put.invalid-json.4xx']
const invalidSchema = ['oci.push.manifest.put.invalid-schema.4xx']
const rejected = ['oci.push.manifest.rejected-not-stored']
const missing = ['oci.push.manifest.missing-blob.code', 'oci.push.manifest.missing-child.code']
const tooLarge = ['oci.push.manifest.size.limit-413']

export const faults = [
  interoperability(
    'oci.push.manifest.type-parameters-refused',
    'a Content-Type with a parameter is not recognised',
    ['oci.push.manifest.put.content-type-params'],
    refusing((_, reading) => typeOf(reading).includes(';'), 415),
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
      registry: rewriting(to('PUT', /\/manifests\/wrong-size-\w+$/), (response) => withStatus(response, 500)),
    },
  ),
  corruption(
    'oci.push.manifest.refused-yet-tagged',
    'a manifest that is refused is served by its tag',
    [...rejected, ...invalidJson],
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
    {
      registry: (next) => {
        const refused = new Set<string>()
        const noting = rewriting(to('PUT', tag), (response, { url }) => {
          if (response.status >= 400) refused.add(new URL(url).pathname.split('/').at(-1) ?? '')
          return response
        })
        const listed = () => [...refused].map((one) => `"${one}",`).join('')
        return noting(
          rewording(/\/tags\/list$/, (text) => text.replace('"tags":[', `"tags":[${listed()}`))(next),
        )
      },
    },
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
          async put(name, one, tags) {
            const there = async (digest: string) =>
              (await blobs.holders(digest, { last: '', limit: 1 })).length > 0
            const found = await Promise.all(one.blobs.map(there))
            return manifests.put(name, { ...one, sparse: found.every(Boolean) }, tags)
          },
        },
      }),
    },
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
  interoperability(
    'oci.push.manifest.data-refused',
    'a descriptor with data is refused',
    ['oci.push.manifest.data-field'],
    refusing((members) => configOf(members).includes('"data"')),
  ),
  interoperability(
    'oci.push.manifest.docker-500',
    'Docker manifests answer 500',
    ['oci.push.manifest.docker-v2s2'],
    refusing((_, reading) => typeOf(reading).includes('docker'), 500),
  ),
  interoperability(
    'oci.push.manifest.limit-1mib',
    'a manifest over 1 MiB is refused',
    ['oci.push.manifest.size.4mib'],
    refusing((_, { body }) => body.length > 1 << 20, 413),
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
]
