import { createProject } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { graphqlOverHttp } from '../specifications.ts'
import { expectNotServed } from './answers.ts'
import { test } from './projects-fixtures.ts'

test(
  'graphql.get-mutation',
  must('A mutation through GET is refused and has no effect', graphqlOverHttp('GET', '#sec-GET'), {
    needs: ['token.valid', 'allow.mutations'],
  }),
  async ({ platform, projects }) => {
    await projects.needCreation()
    const name = projects.name('by-get')
    const { query, variables } = createProject(name)
    const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) })
    const answer = await platform.request('GET', `?${parameters}`, { accept: 'application/json' })
    const made = (await projects.list()).some((project) => project.name === name)
    expectThat(!made, 'no project from a GET', 'the project is listed')
    expectNotServed(answer)
  },
)
