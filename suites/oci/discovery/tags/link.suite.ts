import { describe } from 'vitest'
import { PrerequisiteFailure } from '../../../../harness/errors.ts'
import { expectNoHeader, expectThat } from '../../../../harness/finding.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { nextPage, walkPages } from '../../../link-header.ts'
import { test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { expectSameTags, listTags, repositoryOfTwelve, tagsOf, twelveTags, walkTags } from '../tag-list.ts'

const listing = ociDistribution('Listing Tags', '#listing-tags')
const on = { needs: ['push'], since: '1.1' } as const
const noLink = 'a page that is not the last has no Link'

describe('Links from page to page', () => {
  test(
    'oci.discovery.tags.link.rel-next',
    must('A Link on a page is <URL>; rel="next", and its URL is that of a list of tags', listing, on),
    async ({ client, registry, skip }) => {
      const repository = await repositoryOfTwelve(registry)
      const next = nextPage(await listTags(client, repository, 'n=1'))
      if (next === undefined) return skip(noLink)
      const seen = tagsOf(await client.get(next, { fresh: true }))
      expectThat(
        seen.length > 0 && !seen.includes(twelveTags[0]),
        'tags of the next page',
        seen.join(', ') || 'none',
      )
    },
  )

  test(
    'oci.discovery.tags.link.walk',
    must('The Links lead through every tag once, and come to an end', listing, on),
    async ({ client, registry, skip }) => {
      const repository = await repositoryOfTwelve(registry)
      const first = await listTags(client, repository, 'n=5')
      skip(first.header('link') === undefined, noLink)
      expectSameTags(await walkTags(client, first, twelveTags.length + 2), twelveTags)
    },
  )

  test(
    'oci.discovery.tags.link.absent-at-end',
    should('The page that ends the list has no Link', listing, on),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      for (const n of [12, 5, 6]) {
        const pages = await walkPages(client, await listTags(client, repository, `n=${n}`), twelveTags.length)
        const told = new Set<string>()
        const ending = pages.find((page) => {
          for (const tag of tagsOf(page)) told.add(tag)
          return told.size === twelveTags.length
        })
        if (!ending) throw new PrerequisiteFailure('the pages do not have every tag')
        expectNoHeader(ending, 'link')
      }
    },
  )
})
