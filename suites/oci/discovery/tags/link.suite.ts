import { describe } from 'vitest'
import { PrerequisiteFailure } from '../../../../harness/errors.ts'
import { expectNoHeader, expectThat } from '../../../../harness/finding.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { nextPage, walkPages } from '../../../link-header.ts'
import { test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { expectSameTags, listTags, repositoryOfSix, sixTags, tagsOf, walkTags } from '../tag-list.ts'

const listing = ociDistribution('Listing Tags', '#listing-tags')
const on = { needs: ['push'], since: '1.1' } as const
const noLink = 'a page that is not the last has no Link'

describe('Links from page to page', () => {
  test(
    'oci.discovery.tags.link.rel-next',
    must('A Link on a page is <URL>; rel="next", and its URL is that of a list of tags', listing, on),
    async ({ client, registry, skip }) => {
      const repository = await repositoryOfSix(registry)
      const next = nextPage(await listTags(client, repository, 'n=1'))
      if (next === undefined) return skip(noLink)
      const seen = tagsOf(await client.get(next, { fresh: true }))
      expectThat(
        seen.length > 0 && !seen.includes(sixTags[0]),
        'tags of the next page',
        seen.join(', ') || 'none',
      )
    },
  )

  test(
    'oci.discovery.tags.link.walk',
    must('The Links lead through every tag once, and come to an end', listing, on),
    async ({ client, registry, skip }) => {
      const repository = await repositoryOfSix(registry)
      const first = await listTags(client, repository, 'n=4')
      skip(first.header('link') === undefined, noLink)
      expectSameTags(await walkTags(client, first, sixTags.length + 2), sixTags)
    },
  )

  test(
    'oci.discovery.tags.link.absent-at-end',
    should('The page that ends the list has no Link', listing, on),
    async ({ client, registry }) => {
      const repository = await repositoryOfSix(registry)
      for (const n of [6, 4, 3]) {
        const pages = await walkPages(client, await listTags(client, repository, `n=${n}`), 8)
        const told = new Set<string>()
        const ending = pages.find((page) => {
          for (const tag of tagsOf(page)) told.add(tag)
          return told.size === sixTags.length
        })
        if (!ending) throw new PrerequisiteFailure('the pages do not have every tag')
        expectNoHeader(ending, 'link')
      }
    },
  )
})
