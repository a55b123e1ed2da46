import { projects } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { dataOf, type Platform, type PlatformToken, test } from '../platform.ts'
import { graphqlLanguage, theService } from '../specifications.ts'

const api = theService('Platform API', '#platform-api')
const ids = graphqlLanguage('ID', '#sec-ID')
const needs = ['token.valid'] as const

interface Project {
  readonly id: unknown
  readonly name: unknown
}

/** The projects of a token; what stands there instead is told. */
async function list(platform: Platform, token: PlatformToken = 'valid'): Promise<readonly Project[]> {
  const wrapper = dataOf(await platform.post(projects, token))['projects'] as {
    readonly data?: unknown
  } | null
  expectThat(Array.isArray(wrapper?.data), 'projects { data: […] }', JSON.stringify(wrapper) ?? 'nothing')
  return wrapper.data as readonly Project[]
}

test(
  'graphql.projects',
  must('projects gives an object whose data lists objects with id and name', api, { needs }),
  async ({ platform }) => {
    const odd = (await list(platform)).find((project) => Object.keys(project).join() !== 'id,name')
    expectThat(odd === undefined, 'entries with id and name', JSON.stringify(odd))
  },
)

test(
  'graphql.projects.list',
  must('data is a list, never null, whether or not the user has projects', api, {
    needs: ['token.valid', 'token.other'],
  }),
  async ({ platform }) => {
    await list(platform, 'valid')
    await list(platform, 'other')
  },
)

test(
  'graphql.projects.visible-only',
  must('A token sees the projects of its own user and none of another', api, {
    needs: ['token.valid', 'token.other'],
  }),
  async ({ platform, skip }) => {
    const [own, others] = [await list(platform, 'valid'), await list(platform, 'other')]
    skip(own.length + others.length === 0, 'neither user has a project')
    const shared = own.filter(({ id }) => others.some((other) => other.id === id))
    expectThat(shared.length === 0, 'no project in both lists', JSON.stringify(shared))
  },
)

test(
  'graphql.projects.id-string',
  must('An id is serialised as a string', ids, { needs }),
  async ({ platform, skip }) => {
    const all = await list(platform)
    skip(all.length === 0, 'the user has no project')
    const odd = all.find(({ id }) => typeof id !== 'string')
    expectThat(odd === undefined, 'ids that are strings', JSON.stringify(odd))
  },
)

test(
  'graphql.projects.name-string',
  should('A name is a string', api, { needs }),
  async ({ platform, skip }) => {
    const all = await list(platform)
    skip(all.length === 0, 'the user has no project')
    const odd = all.find(({ name }) => typeof name !== 'string')
    expectThat(odd === undefined, 'names that are strings', JSON.stringify(odd))
  },
)

test(
  'graphql.projects.id-unique',
  should('No two projects have the same id', ids, { needs }),
  async ({ platform, skip }) => {
    const all = await list(platform)
    skip(all.length === 0, 'the user has no project')
    const distinct = new Set(all.map(({ id }) => id)).size
    expectThat(distinct === all.length, `${all.length} different ids`, String(distinct))
  },
)

test(
  'graphql.projects.flat',
  must('A flat list of ids, with or without names, is within every limit', theService('Limits', '#limits'), {
    needs,
  }),
  async ({ platform }) => {
    dataOf(await platform.post(projects, 'valid'))
    dataOf(await platform.post({ query: '{ projects { data { id } } }' }, 'valid'))
  },
)
