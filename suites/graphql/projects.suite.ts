import { describe } from 'vitest'
import { createProject, deleteProject, projects as projectList } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { graphqlLanguage, theService } from '../specifications.ts'
import { dataOf, entriesIn, projectsIn, shown } from './answers.ts'
import { projectFrom, test } from './projects-fixtures.ts'
import { expectShape } from './shape.ts'
import { needData, needEntries } from './steps.ts'
import { expectListOf, marksOf, users } from './two-users.ts'

const platformApi = theService('Platform API', '#platform-api')
const id = graphqlLanguage('ID', '#sec-ID')
const needs = ['token.valid'] as const

describe('projects', () => {
  test(
    'graphql.projects',
    must('projects answers { data: [{ id, name }] }', platformApi, { needs }),
    async ({ platform, projects }) => {
      await projects.some()
      const data = dataOf(await platform.post(projectList))
      expectShape(data, { projects: { data: [{ id: 'leaf', name: 'leaf' }] } })
    },
  )

  test(
    'graphql.projects.visible-only',
    must('Only the projects that the calling token can see are listed', platformApi, {
      needs: ['token.valid', 'token.other'],
    }),
    async ({ platform, projects, skip }) => {
      const marks = await marksOf(projects, skip)
      for (const token of users) expectListOf(token, await platform.post(projectList, { token }), marks)
    },
  )

  test(
    'graphql.projects.list',
    must('projects.data is a list, also where it is empty, and none of its entries is null', platformApi, {
      needs,
    }),
    async ({ platform, projects }) => {
      const tokens = platform.target.tokens?.other ? users : (['valid'] as const)
      const lists = tokens.map((token) => platform.post(projectList, { token }))
      await projects.some()
      for (const answer of await Promise.all([...lists, platform.post(projectList)])) entriesIn(answer)
    },
  )

  test(
    'graphql.projects.id-string',
    must('The id of a project is a string that is not empty', id, { needs }),
    async ({ platform, projects }) => {
      await projects.own()
      for (const entry of needEntries(await platform.post(projectList))) {
        const right = typeof entry['id'] === 'string' && entry['id'] !== ''
        expectThat(right, 'an id that is a string and not empty', shown(entry))
      }
    },
  )

  test(
    'graphql.projects.id-unique',
    should('No id stands twice in the list', id, { needs }),
    async ({ platform, projects }) => {
      await projects.own()
      const ids = needEntries(await platform.post(projectList)).map((entry) => entry['id'])
      const twice = ids.find((each, i) => ids.indexOf(each) !== i)
      expectThat(twice === undefined, 'each id once', `${shown(twice)} twice`)
    },
  )

  test(
    'graphql.projects.name-string',
    should('The name of a project is a string', platformApi, { needs }),
    async ({ platform, projects }) => {
      await projects.own()
      for (const entry of needEntries(await platform.post(projectList))) {
        expectThat(typeof entry['name'] === 'string', 'a name that is a string', shown(entry))
      }
    },
  )

  test(
    'graphql.projects.create-listed',
    should(
      'A project is listed under its name once it was created, and no more once it was deleted',
      platformApi,
      {
        needs: ['token.valid', 'allow.mutations'],
      },
    ),
    async ({ platform, projects }) => {
      await projects.needCreation()
      const name = projects.name('created')
      const created = projectFrom(
        'creating a project',
        await platform.post(createProject(name)),
        'createProject',
      )
      const listed = async () =>
        needEntries(await platform.post(projectList)).find((entry) => entry['id'] === created.id)
      const before = await listed()
      expectThat(before?.['name'] === name, `the project ${name} in the list`, shown(before))
      needData('deleting a project', await platform.post(deleteProject(created.id)))
      expectThat((await listed()) === undefined, 'a list without the deleted project', 'it is still listed')
    },
  )

  test(
    'graphql.projects.flat',
    must('The flat selection of projects is never too complex', theService('Limits', '#limits'), { needs }),
    async ({ platform }) => {
      for (const query of [projectList.query, '{ projects { data { id } } }'])
        projectsIn(await platform.post({ query }))
    },
  )
})
