import { describe } from 'vitest'
import { expectThat } from '../../harness/finding.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import { must, should } from '../../harness/requirement.ts'
import { nextPage } from '../link-header.ts'
import { prepareImage, pushImage, pushManifest } from '../push.ts'
import { test } from '../registry.ts'
import { distributionDocs, theService } from '../specifications.ts'
import { isListed, listRepositories, repositoriesOf, someRepositories } from './catalog-list.ts'

const api = theService('Registry API', '#registry-api')
const paging = distributionDocs('api')('Pagination')
const tooMany = 'the catalogue has more pages than are looked at'
const grammar = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/

/** Whether names are in the order of their characters, or of their path components. */
const isSorted = (names: readonly string[]) =>
  [(name: string) => name, (name: string) => name.replaceAll('/', '\0')].some((key) =>
    names.every((name, i) => i === 0 || key(names[i - 1] ?? '') < key(name)),
  )

async function expectListed(
  client: RegistryClient,
  names: readonly string[],
  skip: (condition: boolean, reason: string) => void,
): Promise<void> {
  const listed = await isListed(client, names)
  skip(listed === undefined, tooMany)
  expectThat(listed === true, `${names.join(' and ')} in the catalogue`, 'a catalogue without')
}

describe('The catalogue', () => {
  test(
    'service.catalog.200',
    must('GET /v2/_catalog answers 200 with all repositories, over all its pages', api, { needs: ['push'] }),
    async ({ client, registry, content, skip }) => {
      const names = ['one', 'two/nested'].map((hint) => registry.repository(hint))
      for (const name of names) await pushImage(client, name, content, 'tagged')
      await expectListed(client, names, skip)
    },
  )

  test(
    'service.catalog.shape',
    should(
      'The catalogue is an object with repositories, an array of names of which none is there twice',
      distributionDocs('api')('Listing Repositories'),
      { needs: ['push', 'catalog'] },
    ),
    async ({ client, repository, content }) => {
      await pushImage(client, repository, content, 'tagged')
      const names = repositoriesOf(await listRepositories(client))
      expectThat(names.length > 0, 'names in repositories', 'none')
      const wrong = names.find((name, i) => !grammar.test(name) || names.indexOf(name) !== i)
      expectThat(wrong === undefined, 'names of repositories, each once', wrong ?? '')
    },
  )

  test(
    'service.catalog.after-push',
    must('A repository is in the catalogue as soon as its first manifest is pushed', api, {
      needs: ['push'],
    }),
    async ({ client, repository, content, skip }) => {
      // What the registry looked up before is what it may keep too long.
      await listRepositories(client)
      const { manifest } = await prepareImage(client, repository, content)
      await pushManifest(client, repository, manifest)
      await expectListed(client, [repository], skip)
    },
  )

  test(
    'service.catalog.sorted-paged',
    should(
      'The catalogue is sorted, and n, last and Link lead through it without gap or repetition',
      paging,
      {
        needs: ['push', 'catalog'],
      },
    ),
    async ({ client, registry, content }) => {
      const names = ['a', 'b', 'c'].map((hint) => registry.repository(hint))
      for (const name of [...names].reverse()) await pushImage(client, name, content, 'tagged')
      const all = await someRepositories(client)
      expectThat(isSorted(all), 'names in lexical order', 'another order')
      const second = await listRepositories(client, `n=1&last=${encodeURIComponent(names[0] ?? '')}`)
      expectThat(repositoriesOf(second).join() === names[1], String(names[1]), repositoriesOf(second).join())
      const next = nextPage(second)
      expectThat(next !== undefined, 'a Link to the next page', 'none')
      const third = repositoriesOf(await client.get(next, { fresh: true }))
      expectThat(third.join() === names[2], String(names[2]), third.join())
    },
  )

  test(
    'service.catalog.n-respected',
    should('With n a page of the catalogue has n names, fewer only where a Link leads on', paging, {
      needs: ['push', 'catalog'],
    }),
    async ({ client, registry, content }) => {
      for (const hint of ['a', 'b']) await pushImage(client, registry.repository(hint), content, 'tagged')
      await someRepositories(client)
      for (const n of [1, 2]) {
        const page = await listRepositories(client, `n=${n}`)
        const { length } = repositoriesOf(page)
        const short = length < n && page.header('link') !== undefined
        expectThat(length === n || short, `a page of ${n} for n=${n}`, `${length} names`)
      }
    },
  )
})
