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

/** Tags that are in one order whatever the case is. */
export const sixTags = ['b', 'd', 'f', 'h', 'k', 'm'] as const

/** A repository that has these tags and no others, for all requirements that only list them. */
export const sixPushed = (registry: Registry): Promise<string> => pushedOnce(registry, 'six-tags', sixTags)

/** The same, in a registry that lists them at all, for the requirements that ask more of the list. */
export const repositoryOfSix = (registry: Registry): Promise<string> =>
  registry.once('six-tags-listed', async ({ registry: own, client }) => {
    const repository = await sixPushed(own)
    await allTags(client, repository, sixTags.length)
    return repository
  })

/** Tags of every kind of character, in the order in which they are pushed, and some that numbers would sort otherwise. */
export const manyTags = ['b', '10', 'B', '_', 'a', '0', 'c', '9', 'A', 'v1.10', 'v1.9', 'v1-0'] as const

/** A repository that has these tags and no others, for all requirements that only list them. */
export const manyPushed = (registry: Registry): Promise<string> => pushedOnce(registry, 'many-tags', manyTags)

const pushedOnce = (registry: Registry, name: string, tags: readonly string[]): Promise<string> =>
  registry.once(name, async ({ client, repository, content }) => {
    await pushTags(client, repository, content, tags)
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
