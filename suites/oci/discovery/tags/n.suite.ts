import { describe } from 'vitest'
import { expectNoHeader, expectThat } from '../../../../harness/finding.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { eachCase } from '../../../each-case.ts'
import { need } from '../../../push.ts'
import { test } from '../../../registry.ts'
import { distributionDocs, ociDistribution } from '../../../specifications.ts'
import {
  expectSameTags,
  expectTags,
  listTags,
  repositoryOfTwelve,
  tagsOf,
  twelveTags,
  walkTags,
} from '../tag-list.ts'

const listing = ociDistribution('Listing Tags', '#listing-tags')
const needs = ['push'] as const

describe('A page of n tags', () => {
  test(
    'oci.discovery.tags.n.exact',
    must(
      'With n a page has n entries, unless there are no more or a Link leads on; it never has more',
      listing,
      {
        needs,
      },
    ),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      for (const n of [1, 2, twelveTags.length, twelveTags.length + 1]) {
        const page = await listTags(client, repository, `n=${n}`)
        const { length } = tagsOf(page)
        const full = Math.min(n, twelveTags.length)
        const linked = page.header('link') !== undefined
        const right = length === full || (length < full && linked)
        expectThat(
          right,
          `${full} of ${twelveTags.length} entries for n=${n}`,
          `${length}, ${linked ? 'with' : 'without'} a Link`,
        )
      }
    },
  )

  test(
    'oci.discovery.tags.n.zero',
    must('With n=0 the list is empty and has no Link', listing, { needs }),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      const page = await listTags(client, repository, 'n=0')
      expectTags(tagsOf(page), [])
      expectNoHeader(page, 'link')
    },
  )

  test(
    'oci.discovery.tags.n.huge',
    should('With n above the number of tags the list has them all, or a Link leads on', listing, { needs }),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      const first = await listTags(client, repository, 'n=100000')
      expectSameTags(await walkTags(client, first, twelveTags.length + 1), twelveTags)
    },
  )

  test(
    'oci.discovery.tags.n.invalid',
    should(
      'An n that is no number of tags is refused with 400 or left out of account',
      distributionDocs('api')('On Failure: Invalid pagination number'),
      { needs },
    ),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      need('listing tags', await listTags(client, repository), 200)
      await eachCase(
        ['abc', '-1', '1e9', '99999999999999999999'].map((n) => [`n=${n}`, n] as const),
        async (n) => {
          const first = await listTags(client, repository, `n=${n}`)
          expectSameTags(
            first.status === 400 ? twelveTags : await walkTags(client, first, twelveTags.length + 1),
            twelveTags,
          )
        },
      )
    },
  )
})
