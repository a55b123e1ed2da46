import { describe } from 'vitest'
import { expectThat } from '../../../../harness/finding.ts'
import { may, must, should } from '../../../../harness/requirement.ts'
import { test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { expectTags, listTags, repositoryOfTwelve, tagsOf, twelveTags, walkTags } from '../tag-list.ts'

const listing = ociDistribution('Listing Tags', '#listing-tags')
const needs = ['push'] as const

describe('A list that begins after a tag', () => {
  test(
    'oci.discovery.tags.last.exclusive',
    must('With last the list begins with the tag that follows it, and leaves last itself out', listing, {
      needs,
    }),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      const first = await listTags(client, repository, 'n=100&last=d')
      expectTags(await walkTags(client, first, 6), ['f', 'h', 'k', 'm'])
    },
  )

  test(
    'oci.discovery.tags.last.without-n',
    may('last works without n', listing, { needs }),
    async ({ client, registry, skip }) => {
      const repository = await repositoryOfTwelve(registry)
      const seen = await walkTags(client, await listTags(client, repository, 'last=d'), twelveTags.length)
      skip(seen.length === twelveTags.length, 'last without n changes nothing')
      expectTags(seen, ['f', 'h', 'k', 'm'])
    },
  )

  test(
    'oci.discovery.tags.last.with-n',
    must('With n and last the page has the next n tags after last', listing, { needs }),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      const page = await listTags(client, repository, 'n=2&last=b')
      const seen = tagsOf(page)
      const cut = seen.length > 0 && page.header('link') !== undefined
      expectTags(seen, ['bb', 'c'].slice(0, cut ? seen.length : 2))
      expectTags(tagsOf(await listTags(client, repository, 'n=2&last=k')), ['m'])
    },
  )

  test(
    'oci.discovery.tags.last.missing-tag',
    should('A last that is no tag counts by its place in the order', listing, { needs }),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      const first = await listTags(client, repository, 'n=100&last=e')
      const seen = await walkTags(client, first, 6)
      expectTags(seen, ['f', 'h', 'k', 'm'])
      const end = tagsOf(await listTags(client, repository, 'n=100&last=z'))
      expectThat(end.length === 0, 'no tag after the last', end.join(', '))
    },
  )
})
