import { manifestTypes } from '../../../../fixtures/media-types.ts'
import { faultKinds } from '../../../../harness/fault-kinds.ts'
import { withBody, withStatus } from '../../../../harness/rewrite.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { changing, elsewhere, errorAnswer, falling, path, rewording, unknownIs } from '../../wire.ts'

const { manifest, tag, manifestDigest, blob } = path
const ofIndex = (response: Response) => response.headers.get('content-type') === manifestTypes.ociIndex
const computes = 'hashes what it received and compares with the digest that it asked for'

const { corruption, interoperability } = faultKinds<Seams>()

export const faults = [
  interoperability(
    'oci.pull.manifest.get.by-tag.203',
    'GET of a tag answers 203, as a rewriting proxy would',
    [
      'service.pull.manifest-without-storage',
      'service.pull.instances-consistent',
      'oci.pull.manifest.get.by-tag.200',
    ],
    {
      registry: changing('GET', tag, (response) => withStatus(response, 203)),
    },
  ),
  corruption(
    'oci.pull.manifest.get.by-tag.empty',
    'GET of a tag answers 200 without a body',
    ['oci.pull.manifest.get.by-tag.200'],
    {
      registry: changing('GET', tag, (response) => withBody(response, () => '')),
    },
    computes,
  ),
  interoperability(
    'oci.pull.manifest.get.by-digest.only-tags',
    'manifests are found by tag only',
    ['oci.pull.manifest.get.by-digest.200', 'oci.pull.manifest.get.tag-moves'],
    {
      registry: changing('GET', manifestDigest, () => errorAnswer(404, 'MANIFEST_UNKNOWN')),
    },
  ),
  corruption(
    'oci.pull.manifest.get.by-digest.child',
    'an index that is asked for by its digest is answered with its first child',
    ['oci.pull.manifest.get.by-digest.200', 'oci.pull.manifest.accept.no-conversion'],
    {
      registry: (next) => async (request, context) => {
        const response = await next(request, context)
        if (request.method !== 'GET' || !ofIndex(response)) return response
        const { manifests } = (await response.json()) as { manifests: { digest: string }[] }
        const digest = manifests[0]?.digest ?? ''
        return next(await elsewhere(request, (at) => at.replace(/[^/]+$/, digest)), {})
      },
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.reserialised',
    'manifests are kept as JSON values and written again on pull',
    ['oci.pull.manifest.get.bytes-exact'],
    {
      registry: rewording(manifest, (text) => JSON.stringify(JSON.parse(text))),
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.trimmed',
    'white space around a manifest is lost',
    ['oci.pull.manifest.get.bytes-exact'],
    {
      registry: rewording(manifest, (text) => text.trim()),
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.line-ends',
    'line ends of manifests are normalised',
    ['oci.pull.manifest.get.bytes-exact'],
    {
      registry: rewording(manifest, (text) => text.replaceAll('\r\n', '\n')),
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.unescaped',
    'escapes in manifests are decoded and not written again',
    ['oci.pull.manifest.get.bytes-exact'],
    {
      registry: rewording(manifest, (text) =>
        text.replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      ),
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.slashes',
    'escaped slashes in manifests lose their backslash',
    ['oci.pull.manifest.get.bytes-exact'],
    {
      registry: rewording(manifest, (text) => text.replaceAll('\\/', '/')),
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.sorted',
    'members of manifests are sorted, as a JSON column does',
    ['oci.pull.manifest.get.bytes-exact'],
    {
      registry: rewording(manifest, (text) =>
        text.startsWith('{"schemaVersion"')
          ? text
          : JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).sort())),
      ),
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.unknown-members',
    'members of manifests that the registry does not know are dropped',
    ['oci.pull.manifest.get.bytes-exact'],
    {
      registry: rewording(manifest, (text) =>
        text.includes('org.example.unknown')
          ? JSON.stringify({ ...JSON.parse(text), 'org.example.unknown': undefined })
          : text,
      ),
    },
    computes,
  ),
  corruption(
    'oci.pull.manifest.get.ascii',
    'text outside ASCII in manifests comes back as question marks',
    ['oci.pull.manifest.get.bytes-exact'],
    {
      registry: rewording(manifest, (text) => text.replace(/[^ -~\s]/gu, '?')),
    },
    computes,
  ),
  interoperability(
    'oci.pull.manifest.get.as-blob.500',
    'the digest of a manifest answers 500 where a blob is asked for',
    ['oci.pull.manifest.get.manifest-digest-as-blob'],
    {
      registry: unknownIs('GET', blob, 500),
    },
  ),
  corruption(
    'oci.pull.manifest.get.as-blob.indented',
    'a manifest asked for as a blob comes in other bytes',
    ['oci.pull.manifest.get.manifest-digest-as-blob'],
    {
      registry: (next) =>
        rewording(blob, (text) => (text.startsWith('{"schemaVersion"') ? `${text}\n` : text))(
          falling('GET', blob, (at) => at.replace('/blobs/', '/manifests/'))(next),
        ),
    },
    computes,
  ),
]
