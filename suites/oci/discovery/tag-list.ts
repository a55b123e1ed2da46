import type { TypedContent } from '../../../fixtures/content.ts'
import type { Source } from '../../../fixtures/seed.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectStatus, expectThat } from '../../../harness/finding.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { memberOf } from '../../json-member.ts'
import { walkPages } from '../../link-header.ts'
import { pushArtifact, pushManifest } from '../../push.ts'
import type { Registry } from '../../registry.ts'
import { step } from '../../step.ts'

/** Pushes one manifest under all these tags, the first of them first. */
export async function pushTags(
  client: RegistryClient,
  repository: string,
  source: Source,
  [first, ...others]: readonly string[],
): Promise<TypedContent> {
  const manifest = await pushArtifact(client, repository, source, first)
  await Promise.all(others.map((tag) => pushManifest(client, repository, manifest, tag)))
  return manifest
}

/**
 * Tags in the one order that sorting by bytes and sorting without case agree on. Other ways to sort do not: as numbers, by
 * length, as a dictionary (which passes over the dot), capitals after small letters. There are more than ten, as some
 * registries cut a list there.
 */
export const twelveTags = ['1.10', '10', '9', 'A', 'b', 'bb', 'c', 'd', 'f', 'h', 'k', 'm'] as const

/** A repository that has these tags and no others, for all requirements that only list them. The last is pushed first. */
export const twelvePushed = (registry: Registry): Promise<string> =>
  registry.once('twelve-tags', async ({ client, repository, content }) => {
    await pushTags(client, repository, content, twelveTags.toReversed())
    return repository
  })

/** The same, in a registry that lists them at all, for the requirements that ask more of the list. */
export const repositoryOfTwelve = (registry: Registry): Promise<string> =>
  registry.once('twelve-tags-listed', async ({ registry: own, client }) => {
    const repository = await twelvePushed(own)
    await allTags(client, repository, twelveTags.length)
    return repository
  })

/** Lists tags as another client would. `query` has no question mark. */
export const listTags = (client: RegistryClient, repository: string, query = ''): Promise<Answer> =>
  client.get(`/v2/${repository}/tags/list${query && `?${query}`}`, { fresh: true })

/** The tags of a page, in its order. `null` stands for none, as some registries write it. */
export function tagsOf(page: Answer): readonly string[] {
  expectStatus(page, 200)
  const told = memberOf(page, 'tags')
  const tags = told === null ? [] : told
  expectThat(
    Array.isArray(tags) && tags.every((tag) => typeof tag === 'string'),
    'an object with tags, an array of strings',
    () => page.text().slice(0, 200),
  )
  return tags
}

/** Every tag that the list and the pages behind its Links tell, in that order. */
export async function walkTags(
  client: RegistryClient,
  first: Answer,
  most: number,
): Promise<readonly string[]> {
  return (await walkPages(client, first, most)).flatMap(tagsOf)
}

/** Every tag of the repository, for what builds on the list: without a list there is no order in it. */
export async function allTags(
  client: RegistryClient,
  repository: string,
  most: number,
): Promise<readonly string[]> {
  const pages = await walkPages(client, await listTags(client, repository), most)
  return step('listing tags', () => pages.flatMap(tagsOf))
}

/** The tags are these, in any order, each once. */
export function expectSameTags(seen: readonly string[], expected: readonly string[]): void {
  const sorted = (tags: readonly string[]) => listed([...tags].sort())
  expectThat(sorted(seen) === sorted(expected), `the tags ${sorted(expected)}`, sorted(seen))
}

/** An empty tag shows as such, and differs from no tag at all. */
const listed = (tags: readonly string[]) => tags.map((tag) => tag || '""').join(', ') || 'none'

/** The tags are these, in this order. */
export function expectTags(seen: readonly string[], expected: readonly string[]): void {
  expectThat(listed(seen) === listed(expected), `the tags ${listed(expected)}`, listed(seen))
}
