import { describe } from 'vitest'
import { expectHeader, expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { artifact, need, pushArtifact, pushManifest } from '../../push.ts'
import { test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'
import {
  allTags,
  expectSameTags,
  listTags,
  pushTags,
  repositoryOfTwelve,
  tagsOf,
  twelvePushed,
  twelveTags,
  walkTags,
} from './tag-list.ts'

const listing = ociDistribution('Listing Tags', '#listing-tags')
const needs = ['push'] as const
/** A page may have a single tag, and some may have none. */
const most = twelveTags.length + 3

describe('Listing tags', () => {
  test(
    'oci.discovery.tags.200',
    must('The list of tags of a repository that is there answers 200', listing, { needs }),
    async ({ client, registry }) => {
      const first = await listTags(client, await twelvePushed(registry))
      expectSameTags(await walkTags(client, first, most), twelveTags)
    },
  )

  test(
    'oci.discovery.tags.json-shape',
    must('The list is a JSON object with the name of the repository and tags, an array of strings', listing, {
      needs,
    }),
    async ({ client, registry }) => {
      const repository = await twelvePushed(registry)
      const answer = need('listing tags', await listTags(client, repository), 200)
      const tags = tagsOf(answer)
      expectThat(tags.length > 0, 'tags with an entry', 'none')
      const { name } = answer.json() as { readonly name?: unknown }
      expectThat(name === repository, `"name": "${repository}"`, `"name": ${JSON.stringify(name)}`)
    },
  )

  test(
    'oci.discovery.tags.content-type',
    should('The list is labelled application/json', listing, { needs }),
    async ({ client, registry }) => {
      const repository = await repositoryOfTwelve(registry)
      const answer = need('listing tags', await listTags(client, repository), 200)
      expectHeader(answer, 'content-type', /^application\/json\s*(;|$)/i)
    },
  )

  test(
    'oci.discovery.tags.complete',
    must('Every tag that was pushed is listed, over all pages, and none twice', listing, { needs }),
    async ({ client, registry }) => {
      const repository = await twelvePushed(registry)
      expectSameTags(await allTags(client, repository, most), twelveTags)
    },
  )

  test(
    'oci.discovery.tags.no-untagged',
    must('A manifest that was pushed by its digest alone adds no entry', listing, { needs }),
    async ({ client, repository, content }) => {
      const tagged = await pushTags(client, repository, content, ['tagged'])
      await pushManifest(client, repository, artifact(content))
      await pushManifest(client, repository, tagged)
      expectSameTags(await allTags(client, repository, 5), ['tagged'])
    },
  )

  test(
    'oci.discovery.tags.order',
    must('Tags are in lexical order, by ASCII or without case, and every page keeps to it', listing, {
      needs,
    }),
    async ({ client, registry }) => {
      const repository = await twelvePushed(registry)
      const whole = await allTags(client, repository, most)
      const paged = await walkTags(client, await listTags(client, repository, 'n=5'), most)
      expectSameTags(whole, twelveTags)
      const inTurn = whole.slice(0, paged.length).join(', ')
      const right = orders.some(sorts(whole)) && paged.join(', ') === inTurn
      const seen = `${whole.join(', ')}, and page by page ${paged.join(', ')}`
      expectThat(right, 'tags in lexical order, also page by page', seen)
    },
  )

  test(
    'oci.discovery.tags.empty',
    may('The list of a repository without tags is []', listing, { needs }),
    async ({ client, repository, content, skip }) => {
      await pushArtifact(client, repository, content)
      const answer = await listTags(client, repository)
      skip(answer.status === 404, 'a repository without tags answers 404')
      expectSameTags(tagsOf(answer), [])
    },
  )

  test(
    'oci.discovery.tags.unknown-repo.404',
    should(
      'The list of tags of a repository to which nothing was ever pushed answers 404',
      ociDistribution('Endpoints', '#endpoints'),
      { needs },
    ),
    async ({ client, registry, skip }) => {
      const used = await repositoryOfTwelve(registry)
      need('listing tags', await listTags(client, used), 200)
      // Beside it, since how deep names may go is the registry's choice.
      const answer = await listTags(client, `${used}-never-used`)
      const { status } = answer
      skip(status === 401 || status === 403, 'the account has no rights where there is no repository')
      expectStatus(answer, 404)
    },
  )

  test(
    'oci.discovery.tags.filtered-by-repo',
    must('The list has the tags of its own repository alone, also where names share a beginning', listing, {
      needs,
    }),
    async ({ client, registry, repository, content }) => {
      const nested = registry.repository('nested')
      await pushTags(client, repository, content, ['outer'])
      await pushTags(client, nested, content, ['inner'])
      expectSameTags(await allTags(client, repository, 5), ['outer'])
      expectSameTags(await allTags(client, nested, 5), ['inner'])
    },
  )
})

/** What two tags are compared by: their bytes, or either way to leave case out (`_` lies between the cases). */
const orders: readonly ((tag: string) => string)[] = [
  (tag) => tag,
  (tag) => tag.toLowerCase(),
  (tag) => tag.toUpperCase(),
]

const sorts = (tags: readonly string[]) => (key: (tag: string) => string) =>
  tags.every((tag, i) => i === 0 || key(tags[i - 1] ?? '') <= key(tag))
