import { describe } from 'vitest'
import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import { expectHeader } from '../../harness/finding.ts'
import { may, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { graphqlOverHttp } from '../specifications.ts'
import { entriesIn, expectMembers, expectNotServed, isRefused } from './answers.ts'
import { test } from './projects-fixtures.ts'
import { needList } from './steps.ts'

const needs = ['token.valid'] as const

describe('Methods', () => {
  test(
    'graphql.method.get-query',
    may(
      'A query by GET, where it is served, gets the answer that POST gives',
      graphqlOverHttp('Request', '#sec-Request'),
      {
        needs,
      },
    ),
    async ({ platform, projects, skip }) => {
      const query = 'query ($a: Boolean!) { projects { data { id name @include(if: $a) } } }'
      const ask = (a: boolean) => {
        const parameters = new URLSearchParams({ query, variables: JSON.stringify({ a }) })
        return platform.request('GET', `?${parameters}`, { accept: 'application/json' })
      }
      await projects.some()
      const full = await ask(true)
      skip(isRefused(full), 'queries by GET are refused')
      for (const entry of entriesIn(full)) expectMembers(entry, ['id', 'name'])
      for (const entry of entriesIn(await ask(false))) expectMembers(entry, ['id'])
    },
  )

  test(
    'graphql.method.other',
    should('PUT, PATCH and DELETE execute nothing', graphqlOverHttp('Status Codes', '#sec-Status-Codes'), {
      needs,
    }),
    async ({ platform }) => {
      needList(await platform.post(projectList))
      const headers = { 'content-type': 'application/json' }
      const cases = ['PUT', 'PATCH', 'DELETE'].map((method) => [method, method] as const)
      await eachCase(cases, async (method) => {
        const answer = await platform.request(method, '', { headers }, JSON.stringify(projectList))
        expectNotServed(answer)
        if (answer.status === 405) expectHeader(answer, 'allow', /\bPOST\b/)
      })
    },
  )
})
