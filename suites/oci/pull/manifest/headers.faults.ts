import { manifestTypes } from '../../../../fixtures/media-types.ts'
import { faultKinds } from '../../../../harness/fault-kinds.ts'
import { withHeaders } from '../../../../harness/rewrite.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { changing, path, setting, sha256 } from '../../wire.ts'

const { manifest, tag } = path
const digestHeader = 'docker-content-digest'
const ofIndex = (response: Response) => response.headers.get('content-type') === manifestTypes.ociIndex
const computes = 'hashes what it received and compares with the digest that it asked for'

const { corruption, interoperability } = faultKinds<Seams>()

export const faults = [
  interoperability(
    'oci.pull.manifest.get.digest-header.none',
    'GET of a manifest has no Docker-Content-Digest',
    ['oci.pull.manifest.get.digest-header.present'],
    {
      registry: setting('GET', manifest, { [digestHeader]: null }),
    },
    'computes the digest of what it received',
  ),
  interoperability(
    'oci.pull.manifest.get.digest-header.not-by-tag',
    'Docker-Content-Digest is sent only where the client asked by digest',
    ['oci.pull.manifest.get.digest-header.present'],
    {
      registry: setting('GET', tag, { [digestHeader]: null }),
    },
    'computes the digest of what it received',
  ),
  corruption(
    'oci.pull.manifest.get.digest-header.of-nothing',
    'Docker-Content-Digest is that of no bytes',
    ['oci.pull.manifest.get.digest-header.true'],
    {
      registry: setting('GET', manifest, { [digestHeader]: sha256('') }),
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.digest-header.of-indented',
    'Docker-Content-Digest is that of the manifest written another way',
    ['oci.pull.manifest.get.digest-header.true'],
    {
      registry: changing('GET', manifest, async (response) => {
        const text = await response.clone().text()
        return withHeaders(response, {
          [digestHeader]: sha256(JSON.stringify(JSON.parse(text), undefined, 3)),
        })
      }),
    },
    computes,
  ),
  interoperability(
    'oci.pull.manifest.get.digest-header.quoted',
    'Docker-Content-Digest stands in quotes',
    ['oci.pull.manifest.get.digest-header.true'],
    {
      registry: changing('GET', manifest, (response) =>
        withHeaders(response, { [digestHeader]: `"${response.headers.get(digestHeader)}"` }),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.digest-header.capitals',
    'Docker-Content-Digest is in capitals',
    ['oci.pull.manifest.get.digest-header.true'],
    {
      registry: changing('GET', manifest, (response) =>
        withHeaders(response, { [digestHeader]: response.headers.get(digestHeader)?.toUpperCase() ?? null }),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.digest-header.bare',
    'Docker-Content-Digest lacks its algorithm',
    ['oci.pull.manifest.get.digest-header.true'],
    {
      registry: changing('GET', manifest, (response) =>
        withHeaders(response, { [digestHeader]: response.headers.get(digestHeader)?.slice(7) ?? null }),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.content-type.none',
    'manifests have no Content-Type',
    [
      'oci.pull.manifest.get.content-type.present',
      'oci.pull.manifest.get.content-type.as-pushed',
      'oci.pull.manifest.get.content-type.equals-mediatype',
    ],
    {
      registry: setting('GET', manifest, { 'content-type': null }),
    },
    'reads the media type from the manifest',
  ),
  interoperability(
    'oci.pull.manifest.get.content-type.json',
    'manifests go under application/json',
    [
      'oci.push.manifest.put.location-pullable',
      'oci.push.manifest.put.content-type-params',
      'oci.push.manifest.put.no-mediatype',
      'oci.pull.manifest.get.content-type.present',
      'oci.pull.manifest.get.content-type.as-pushed',
      'oci.pull.manifest.get.content-type.equals-mediatype',
    ],
    {
      registry: setting('GET', manifest, { 'content-type': 'application/json' }),
    },
    'refuses what is not labelled as a manifest',
  ),
  interoperability(
    'oci.pull.manifest.get.content-type.html',
    'manifests go under text/html',
    ['oci.pull.manifest.get.content-type.present'],
    {
      registry: setting('GET', manifest, { 'content-type': 'text/html' }),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.content-type.docker-as-oci',
    "Docker's manifests are served as those of OCI",
    ['oci.pull.manifest.get.content-type.as-pushed'],
    {
      registry: changing('GET', manifest, (response) =>
        withHeaders(response, {
          'content-type':
            response.headers
              .get('content-type')
              ?.replace(manifestTypes.dockerManifest, manifestTypes.ociManifest) ?? null,
        }),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.content-type.guessed',
    'Content-Type is guessed where a manifest has no mediaType',
    ['oci.pull.manifest.get.content-type.as-pushed'],
    {
      registry: changing('GET', manifest, async (response) => {
        const marked = (await response.clone().text()).includes('{"schemaVersion":2,"mediaType"')
        return marked ? response : withHeaders(response, { 'content-type': manifestTypes.ociManifest })
      }),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.content-type.charset',
    'Content-Type of a manifest carries a charset',
    ['oci.pull.manifest.get.content-type.no-params'],
    {
      registry: changing('GET', manifest, (response) =>
        withHeaders(response, { 'content-type': `${response.headers.get('content-type')}; charset=utf-8` }),
      ),
    },
    'ignores parameters of Content-Type',
  ),
  interoperability(
    'oci.pull.manifest.get.content-type.index-as-image',
    'an index is labelled as an image manifest',
    ['oci.pull.manifest.get.content-type.equals-mediatype', 'oci.pull.manifest.get.content-type.as-pushed'],
    {
      registry: changing('GET', manifest, (response) =>
        ofIndex(response) ? withHeaders(response, { 'content-type': manifestTypes.ociManifest }) : response,
      ),
    },
    'refuses a manifest whose mediaType is another',
  ),
]
