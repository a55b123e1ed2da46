import type { Answer } from '../../harness/answer.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import { memberOf } from '../json-member.ts'
import { nextPage } from '../link-header.ts'
import { step } from '../step.ts'

/** Asks for the catalogue as another client would. `query` has no question mark. */
export const listRepositories = (client: RegistryClient, query = ''): Promise<Answer> =>
  client.get(`/v2/_catalog${query && `?${query}`}`, { fresh: true })

/** The names on a page. */
export function repositoriesOf(page: Answer): readonly string[] {
  expectStatus(page, 200)
  const names = memberOf(page, 'repositories')
  expectThat(
    Array.isArray(names) && names.every((name) => typeof name === 'string'),
    'an object with repositories, an array of strings',
    page.text().slice(0, 200),
  )
  return names
}

/** The first page, for what asks more of the catalogue: it is there at all. */
export async function someRepositories(client: RegistryClient): Promise<readonly string[]> {
  const page = await listRepositories(client)
  return step('listing repositories', () => repositoriesOf(page))
}

/** A registry may hold any number of repositories; beyond this many pages nobody looks for one. */
const mostPages = 200

/**
 * Whether every one of the names is in the catalogue, over all its pages; `undefined` where it goes on beyond what is
 * looked at.
 */
export async function isListed(
  client: RegistryClient,
  names: readonly string[],
): Promise<boolean | undefined> {
  const missing = new Set(names)
  let page = await listRepositories(client)
  for (let count = 1; count <= mostPages; count += 1) {
    for (const name of repositoriesOf(page)) missing.delete(name)
    const next = nextPage(page)
    if (missing.size === 0) return true
    if (next === undefined) return false
    page = await client.get(next, { fresh: true })
  }
  return undefined
}
