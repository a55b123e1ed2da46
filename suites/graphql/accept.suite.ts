import { describe } from 'vitest'
import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import { expectHeader } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { test } from '../platform.ts'
import { graphqlOverHttp, theService } from '../specifications.ts'
import { expectErrorsWith200, projectsIn } from './answers.ts'
import { jsonType } from './json-type.ts'

describe('Media types of answers', () => {
  test(
    'graphql.accept.any',
    should(
      'Accept: application/json, */* and no Accept at all get JSON',
      graphqlOverHttp('Body', '#sec-Body'),
      {
        needs: ['token.valid'],
      },
    ),
    async ({ platform }) => {
      const body = JSON.stringify(projectList)
      const headers = { 'content-type': 'application/json' }
      const cases = ['application/json', '*/*', undefined].map(
        (accept) => [accept ?? 'no Accept', accept] as const,
      )
      await eachCase(cases, async (accept) => {
        const asking = { headers, ...(accept !== undefined && { accept }) }
        const answer = await platform.request('POST', '', asking, body)
        projectsIn(answer)
        expectHeader(answer, 'content-type', jsonType)
      })
    },
  )

  test(
    'graphql.accept.response-json',
    must(
      'Errors stay HTTP 200 where application/graphql-response+json is accepted',
      theService('Errors', '#errors'),
    ),
    async ({ platform }) => {
      const accept = 'application/graphql-response+json'
      const cases = [
        ['syntax error', () => platform.post({ query: '{ projects {' }, { accept })],
        ['unknown field', () => platform.post({ query: '{ nosuchField }' }, { accept })],
        ['no token', () => platform.post(projectList, { accept, token: 'none' })],
      ] as const
      await eachCase(cases, async (ask) => expectErrorsWith200(await ask()))
    },
  )
})
