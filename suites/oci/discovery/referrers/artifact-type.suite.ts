import { describe } from 'vitest'
import { emptyConfig } from '../../../../fixtures/config.ts'
import { imageIndex, imageManifest } from '../../../../fixtures/manifest.ts'
import { vendorTypes } from '../../../../fixtures/media-types.ts'
import { expectThat } from '../../../../harness/finding.ts'
import { must } from '../../../../harness/requirement.ts'
import { pushManifest } from '../../../push.ts'
import { ociDistribution } from '../../../specifications.ts'
import { test } from '../../parts.ts'
import { entryFor, listedReferrers, pushSubject, referrerTo } from '../referrer-list.ts'

const listing = ociDistribution('Listing Referrers', '#listing-referrers')
const on = { needs: ['push', 'referrers'], since: '1.1' } as const

describe('What the descriptor of a referrer tells of its artifact type', () => {
  test(
    'oci.discovery.referrers.artifact-type',
    must('The artifactType of an image or index is that of its entry', listing, on),
    async ({ client, parts: { repository }, content }) => {
      const subject = await pushSubject(client, repository, content)
      const { artifact, otherArtifact } = vendorTypes
      const image = referrerTo(subject, content, artifact)
      const index = imageIndex({ manifests: [subject], subject, artifactType: otherArtifact })
      for (const referrer of [image, index]) await pushManifest(client, repository, referrer)
      const entries = await listedReferrers(client, repository, subject.digest)
      for (const [referrer, type] of [
        [image, artifact],
        [index, otherArtifact],
      ] as const) {
        const { artifactType } = entryFor(entries, referrer)
        expectThat(artifactType === type, `"artifactType": "${type}"`, JSON.stringify(artifactType) ?? 'none')
      }
    },
  )

  test(
    'oci.discovery.referrers.artifact-type.fallback',
    must('Without an artifactType the entry of an image has the media type of its config', listing, on),
    async ({ client, parts: { repository }, content }) => {
      const subject = await pushSubject(client, repository, content)
      const config = { mediaType: vendorTypes.config, digest: emptyConfig.digest, size: emptyConfig.size }
      const image = imageManifest({ config, layers: [emptyConfig], subject })
      await pushManifest(client, repository, image)
      const entries = await listedReferrers(client, repository, subject.digest)
      const { artifactType } = entryFor(entries, image)
      const wanted = `"artifactType": "${config.mediaType}"`
      expectThat(artifactType === config.mediaType, wanted, JSON.stringify(artifactType) ?? 'none')
    },
  )

  test(
    'oci.discovery.referrers.artifact-type.index-omitted',
    must('Without an artifactType the entry of an index has none', listing, on),
    async ({ client, parts: { repository }, content }) => {
      const subject = await pushSubject(client, repository, content)
      const index = await pushManifest(client, repository, imageIndex({ manifests: [subject], subject }))
      const entries = await listedReferrers(client, repository, subject.digest)
      const { artifactType } = entryFor(entries, index)
      expectThat(artifactType === undefined, 'no artifactType', JSON.stringify(artifactType) ?? '')
    },
  )
})
