import { describe } from 'vitest'
import {
  deleteProject,
  projectById,
  projects as projectList,
  updateProject,
} from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { theService } from '../specifications.ts'
import { bodyShown, dataOf, errorsOf, isObject, jsonOf } from './answers.ts'
import { isKnown } from './known-field.ts'
import { test } from './projects-fixtures.ts'
import { expectListOf, marksOf, type User, users } from './two-users.ts'

const platformApi = theService('Platform API', '#platform-api')
const needs = ['token.valid', 'token.other'] as const
const rounds = 20

describe('Two users', () => {
  test(
    'graphql.isolation.interleaved',
    must(
      'Two users never see each other, neither in turns nor in parallel on shared connections',
      platformApi,
      {
        needs,
      },
    ),
    async ({ platform, projects, skip }) => {
      const marks = await marksOf(projects, skip)
      const ask = async (token: User) => [token, await platform.post(projectList, { token })] as const
      const turns = Array.from({ length: rounds }, () => users).flat()
      const answers = []
      for (const user of turns) answers.push(await ask(user))
      answers.push(...(await Promise.all(turns.map(ask))))
      for (const [user, answer] of answers) expectListOf(user, answer, marks)
    },
  )

  test(
    'graphql.isolation.by-id',
    should('A project of another user is not delivered by its id', platformApi, { needs }),
    async ({ platform, projects, skip }) => {
      skip(!(await isKnown(platform, 'query', 'project')), 'the platform API has no project(id)')
      const { id, name } = await projects.own()
      const own = await platform.post(projectById(id))
      const found = dataOf(own)['project']
      skip(!isObject(found) || found['id'] !== id, 'project(id) does not find an own project')
      const answer = await platform.post(projectById(id), { token: 'other' })
      const answered = answer.status < 500 && jsonOf(answer) !== undefined
      expectThat(answered, 'an answer in JSON, below 500', () => `${answer.status}: ${bodyShown(answer)}`)
      expectThat(!answer.text().includes(name), 'nothing of the project', 'its name')
    },
  )

  test(
    'graphql.isolation.mutation',
    should('A project of another user can be neither changed nor deleted', platformApi, {
      needs: ['token.valid', 'token.other', 'allow.mutations'],
    }),
    async ({ platform, projects }) => {
      await projects.needCreation()
      const { id, name } = await projects.create()
      const changed = await platform.post(updateProject(id, projects.name('changed')), { token: 'other' })
      const deleted = await platform.post(deleteProject(id), { token: 'other' })
      const now = (await projects.list()).find((project) => project.id === id)
      expectThat(now?.name === name, `the project ${name} as it was`, now ? now.name : 'no such project')
      for (const answer of [changed, deleted]) errorsOf(answer)
    },
  )
})
