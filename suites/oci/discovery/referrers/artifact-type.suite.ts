import { describe } from 'vitest'
import { vendorTypes } from '../../../../fixtures/media-types.ts'
import { expectThat } from '../../../../harness/finding.ts'
import { must } from '../../../../harness/requirement.ts'
import { test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { entryOf, kindsOfReferrers, type Listed } from '../referrer-kinds.ts'

const listing = ociDistribution('Listing Referrers', '#listing-referrers')
const on = { needs: ['push', 'referrers'], since: '1.1' } as const

function expectType(listed: Listed, type: string): void {
  const { artifactType } = entryOf(listed)
  expectThat(artifactType === type, `"artifactType": "${type}"`, JSON.stringify(artifactType) ?? 'none')
}

describe('What the descriptor of a referrer tells of its artifact type', () => {
  test(
    'oci.discovery.referrers.artifact-type',
    must('The artifactType of an image or index is that of its entry', listing, on),
    async ({ registry }) => {
      const listed = await kindsOfReferrers(registry)
      for (const [kind, type] of [
        ['image', vendorTypes.artifact],
        ['index', vendorTypes.otherArtifact],
      ] as const) {
        expectType(listed(kind), type)
      }
    },
  )

  test(
    'oci.discovery.referrers.artifact-type.fallback',
    must('Without an artifactType the entry of an image has the media type of its config', listing, on),
    async ({ registry }) => {
      const listed = await kindsOfReferrers(registry)
      expectType(listed('imageWithoutType'), vendorTypes.config)
    },
  )

  test(
    'oci.discovery.referrers.artifact-type.index-omitted',
    must('Without an artifactType the entry of an index has none', listing, on),
    async ({ registry }) => {
      const listed = await kindsOfReferrers(registry)
      const { artifactType } = entryOf(listed('indexWithoutType'))
      expectThat(artifactType === undefined, 'no artifactType', JSON.stringify(artifactType) ?? '')
    },
  )
})
