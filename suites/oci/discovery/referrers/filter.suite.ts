import { describe } from 'vitest'
import type { TypedContent } from '../../../../fixtures/content.ts'
import { vendorTypes } from '../../../../fixtures/media-types.ts'
import { expectHeader, expectNoHeader } from '../../../../harness/finding.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { eachCase } from '../../../each-case.ts'
import { walkPages } from '../../../link-header.ts'
import { pushManifest } from '../../../push.ts'
import { type Registry, test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { artifactsIn } from '../artifacts.ts'
import { longList } from '../long-list.ts'
import {
  allReferrers,
  expectReferrers,
  filtersApplied,
  listedReferrers,
  listReferrers,
  pushSubject,
  referrersOf,
  referrerTo,
} from '../referrer-list.ts'

const listing = ociDistribution('Listing Referrers', '#listing-referrers')
const on = { needs: ['push', 'referrers'], since: '1.1' } as const
/** The one to ask for has a slash and a plus sign, as media types do. */
const { artifact: wanted, otherArtifact } = vendorTypes
const namesType = /(^|,)\s*artifactType\s*(,|$)/

/**
 * A subject with two referrers of the wanted type and one of another, in a registry that lists referrers at all. On one
 * registry a list that was asked for before has lost its header: whoever needs to ask first asks for what nobody else does.
 */
const twoTypes = (registry: Registry) =>
  registry.once('referrers-of-two-types', async ({ registry: own, client, content }) => {
    const repository = await artifactsIn(own)
    const subject = await pushSubject(client, repository, content)
    const referrers: TypedContent[] = []
    for (const type of [wanted, wanted, otherArtifact]) {
      referrers.push(await pushManifest(client, repository, referrerTo(subject, content, type)))
    }
    await listedReferrers(client, repository, subject.digest)
    return { repository, subject, referrers, matching: referrers.slice(0, 2), other: referrers.slice(2) }
  })

describe('Filtering referrers by artifactType', () => {
  test(
    'oci.discovery.referrers.filter',
    should('With artifactType only the referrers of that type are listed', listing, on),
    async ({ client, registry }) => {
      const { repository, subject, matching } = await twoTypes(registry)
      const first = await listReferrers(client, repository, subject.digest, wanted)
      expectReferrers(await allReferrers(client, first), matching)
      const none = await listReferrers(client, repository, subject.digest, 'application/vnd.example.none')
      expectReferrers(referrersOf(none), [])
    },
  )

  test(
    'oci.discovery.referrers.filter.header',
    must('A list that was filtered says so each time: OCI-Filters-Applied: artifactType', listing, on),
    async ({ client, registry, skip }) => {
      const { repository, subject, referrers } = await twoTypes(registry)
      const filtered = await listReferrers(client, repository, subject.digest, wanted)
      const entries = await allReferrers(client, filtered)
      skip(entries.length >= referrers.length, 'the list is not filtered')
      // The second time the list may come from a cache.
      const again = await listReferrers(client, repository, subject.digest, wanted)
      for (const list of [filtered, again]) expectHeader(list, filtersApplied, namesType)
    },
  )

  test(
    'oci.discovery.referrers.filter.honest',
    must(
      'OCI-Filters-Applied is only sent where a filter was asked for and the list is filtered by it',
      listing,
      on,
    ),
    async ({ client, registry }) => {
      const { repository, subject, referrers, other } = await twoTypes(registry)
      const whole = await listReferrers(client, repository, subject.digest)
      expectNoHeader(whole, filtersApplied)
      const asked = await listReferrers(client, repository, subject.digest, otherArtifact)
      const claimed = namesType.test(asked.header(filtersApplied) ?? '')
      expectReferrers(await allReferrers(client, asked), claimed ? other : referrers)
    },
  )

  test(
    'oci.discovery.referrers.filter.encoding',
    should('The type to filter by is understood percent-encoded, and with its slash as it is', listing, on),
    async ({ client, registry, skip }) => {
      const { repository, subject, matching } = await twoTypes(registry)
      const path = `/v2/${repository}/referrers/${subject.digest}?artifactType=`
      const encoded = encodeURIComponent(wanted)
      const probed = await client.get(`${path}${encodeURIComponent('application/vnd.example.unasked')}`)
      skip(probed.header(filtersApplied) === undefined, 'no OCI-Filters-Applied was sent')
      const spellings = [
        encoded,
        encoded.replace('%2F', '/'),
        encoded.replace(/%../g, (hex) => hex.toLowerCase()),
      ]
      await eachCase(
        spellings.map((spelling) => [spelling, spelling] as const),
        async (spelling) => {
          const first = await client.get(`${path}${spelling}`, { fresh: true })
          expectReferrers(await allReferrers(client, first), matching)
        },
      )
    },
  )

  test(
    'oci.discovery.referrers.filter.paged',
    should('Every page of a filtered list is filtered', listing, on),
    async ({ client, registry, skip }) => {
      const list = await longList(registry)
      if (!list) return skip('manifests with long annotations are refused')
      const { repository, subject, matching } = list
      skip(list.first.header('link') === undefined, 'the list has one page')
      const first = await listReferrers(client, repository, subject.digest, wanted)
      skip(first.header(filtersApplied) === undefined, 'no OCI-Filters-Applied was sent')
      skip(first.header('link') === undefined, 'the list has one page')
      const pages = await walkPages(client, first, matching.length + 2)
      expectReferrers(pages.flatMap(referrersOf), matching)
    },
  )
})
