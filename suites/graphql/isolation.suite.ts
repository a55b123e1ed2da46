import { describe } from 'vitest'
import { deleteProject, projectById, updateProject } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { theService } from '../specifications.ts'
import { dataOf, errorsOf, isObject, jsonOf } from './answers.ts'
import { isKnown } from './known-field.ts'
import { test } from './projects-fixtures.ts'
import { expectOwnList, marksOf } from './two-users.ts'

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
      for (let round = 0; round < rounds; round += 1) {
        await expectOwnList(platform, 'valid', marks)
        await expectOwnList(platform, 'other', marks)
      }
      await Promise.all(
        Array.from({ length: 2 * rounds }, (_, i) =>
          expectOwnList(platform, i % 2 ? 'other' : 'valid', marks),
        ),
      )
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
      expectThat(answer.status < 500, 'an answer below 500', String(answer.status))
      expectThat(jsonOf(answer) !== undefined, 'an answer in JSON', answer.text().slice(0, 100))
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
