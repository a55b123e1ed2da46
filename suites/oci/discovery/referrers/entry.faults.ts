import { manifestTypes } from '../../../../fixtures/media-types.ts'
import { faultKinds } from '../../../../harness/fault-kinds.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import type { Referrer } from '../../../../mocks/registry/stores.ts'
import { rewording } from '../../wire.ts'
import { entries, indexed, isIndex, list } from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const complete = 'oci.discovery.referrers.complete'
const descriptor = ['oci.discovery.referrers.descriptor']
const annotations = ['oci.discovery.referrers.annotations']
const artifactType = 'oci.discovery.referrers.artifact-type'
const fallback = 'oci.discovery.referrers.artifact-type.fallback'

const withoutType = ({ artifactType: _, ...rest }: Referrer): Referrer => rest

export const faults = [
  corruption(
    'oci.discovery.referrers.size-wrong',
    'the size of an entry is wrong',
    descriptor,
    entries((entry) => ({ ...entry, size: entry.size + 1 })),
  ),
  interoperability(
    'oci.discovery.referrers.type-of-image',
    'every entry has the media type of an image',
    descriptor,
    entries((entry) => ({ ...entry, contentType: manifestTypes.ociManifest })),
  ),
  corruption(
    'oci.discovery.referrers.digest-wrong',
    'the digest of an entry is another',
    [...descriptor, complete],
    entries((entry) => ({ ...entry, digest: `sha256:${'0'.repeat(64)}` })),
  ),
  interoperability(
    'oci.discovery.referrers.no-annotations',
    'entries have no annotations',
    annotations,
    entries(({ annotations: _, ...entry }) => entry),
  ),
  interoperability(
    'oci.discovery.referrers.annotations-empty-dropped',
    'annotations with an empty value are left out',
    annotations,
    {
      registry: rewording(list, (text) => text.replace(/"[^"]*":"",/g, '')),
    },
  ),
  interoperability(
    'oci.discovery.referrers.annotations-of-index',
    'an index has no annotations in its entry',
    annotations,
    entries(({ annotations: given, ...entry }) =>
      isIndex(entry) || given === undefined ? entry : { ...entry, annotations: given },
    ),
  ),
  interoperability(
    'oci.discovery.referrers.no-artifact-type',
    'entries have no artifactType',
    [artifactType, fallback],
    entries(withoutType),
  ),
  interoperability(
    'oci.discovery.referrers.index-no-artifact-type',
    'the artifactType of an index is left out',
    [artifactType],
    entries((entry) => (isIndex(entry) ? withoutType(entry) : entry)),
  ),
  interoperability(
    'oci.discovery.referrers.no-fallback',
    'the type of the config does not stand in for a missing artifactType',
    [fallback],
    indexed(({ artifactType: given, ...manifest }) =>
      given !== undefined && manifest.content.includes('"artifactType"')
        ? { ...manifest, artifactType: given }
        : manifest,
    ),
  ),
  interoperability(
    'oci.discovery.referrers.config-type-always',
    'artifactType is always the type of the config',
    [artifactType],
    entries((entry) => ({ ...entry, artifactType: 'application/vnd.oci.empty.v1+json' })),
  ),
  interoperability(
    'oci.discovery.referrers.index-empty-type',
    'an index without an artifactType has an empty one',
    ['oci.discovery.referrers.artifact-type.index-omitted'],
    entries((entry) => ({ ...entry, artifactType: entry.artifactType ?? '' })),
  ),
  interoperability(
    'oci.discovery.referrers.index-own-type',
    'an index without an artifactType has its media type',
    ['oci.discovery.referrers.artifact-type.index-omitted'],
    entries((entry) => ({ ...entry, artifactType: entry.artifactType ?? entry.contentType })),
  ),
]
