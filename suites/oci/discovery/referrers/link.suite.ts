import { describe } from 'vitest'
import { expectThat } from '../../../../harness/finding.ts'
import { must } from '../../../../harness/requirement.ts'
import { nextPage, walkPages } from '../../../link-header.ts'
import { test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { longList } from '../long-list.ts'
import { expectReferrers, referrersOf } from '../referrer-list.ts'

const listing = ociDistribution('Listing Referrers', '#listing-referrers')
const on = { needs: ['push', 'referrers'], since: '1.1' } as const
const refused = 'manifests with long annotations are refused'
const onePage = 'the list has one page'

describe('Lists of referrers that do not fit into one manifest', () => {
  test(
    'oci.discovery.referrers.link',
    must('A list that is paged by Link has every referrer once, and each page is an index', listing, on),
    async ({ client, registry, skip }) => {
      const list = await longList(registry)
      if (!list) return skip(refused)
      const { first, matching, other } = list
      const referrers = [...matching, other]
      skip(first.header('link') === undefined, onePage)
      const pages = await walkPages(client, first, referrers.length + 2)
      expectReferrers(pages.flatMap(referrersOf), referrers)
    },
  )

  test(
    'oci.discovery.referrers.link.rel-next',
    must('That Link is <URL>; rel="next", and its URL is that of a list of referrers', listing, on),
    async ({ client, registry, skip }) => {
      const list = await longList(registry)
      if (!list) return skip(refused)
      const next = nextPage(list.first)
      if (next === undefined) return skip(onePage)
      const told = new Set(referrersOf(list.first).map(({ digest }) => digest))
      const entries = referrersOf(await client.get(next, { fresh: true }))
      const further = entries.length > 0 && entries.every(({ digest }) => !told.has(digest))
      expectThat(further, 'further referrers on the next page', `${entries.length}, some of them told before`)
    },
  )
})
