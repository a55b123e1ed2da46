import { describe } from 'vitest'
import { concat, literal, repeated } from '../../fixtures/content.ts'
import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { test } from '../platform.ts'
import { graphqlOverHttp, theService } from '../specifications.ts'
import { unlessBroken } from '../unless-broken.ts'
import { expectErrorsWith200, expectNotServed, projectsIn } from './answers.ts'
import { expectWithin, timed } from './in-time.ts'

const needs = ['token.valid'] as const
const errors = theService('Errors', '#errors')
const jsonEncoding = graphqlOverHttp('JSON Encoding', '#sec-JSON-Encoding')

describe('Bodies', () => {
  test(
    'graphql.body.extra-members',
    should('Members of the body that the service does not know are ignored', jsonEncoding, { needs }),
    async ({ platform }) => {
      projectsIn(await platform.post({ ...projectList, foo: 1 }))
    },
  )

  test(
    'graphql.body.null-members',
    should('variables, operationName and extensions count as absent where they are null', jsonEncoding, {
      needs,
    }),
    async ({ platform }) => {
      const members = ['variables', 'operationName', 'extensions']
      await eachCase(
        members.map((name) => [`${name}: null`, name] as const),
        async (name) => {
          projectsIn(await platform.post({ ...projectList, [name]: null }))
        },
      )
    },
  )

  test(
    'graphql.body.query-type',
    must('A query that is not a string is an error with HTTP 200', errors, { needs }),
    async ({ platform }) => {
      const queries = [5, true, null, [], {}]
      await eachCase(
        queries.map((query) => [`query: ${JSON.stringify(query)}`, query] as const),
        async (query) => expectErrorsWith200(await platform.post({ query })),
      )
    },
  )

  test(
    'graphql.body.empty',
    must('An empty body, an empty object and an empty query are errors with HTTP 200', errors, { needs }),
    async ({ platform }) => {
      const bodies = ['', '{}', '{"query":""}']
      await eachCase(
        bodies.map((body) => [`body: ${body || 'none'}`, body] as const),
        async (body) => expectErrorsWith200(await platform.send(body)),
      )
    },
  )

  test(
    'graphql.body.too-large',
    should(
      'A body of 16 MiB is refused within 10 s, and the next request is served',
      theService('Limits', '#limits'),
      {
        needs,
      },
    ),
    async ({ platform }) => {
      const body = concat([
        literal('{"query":"{ projects { data { id } } } #'),
        repeated(0x61, 16 * 1024 * 1024),
        literal('"}'),
      ])
      // A service that has read enough may close the connection.
      const sent = await timed(() => unlessBroken(platform.send(body)))
      if (sent.result) expectNotServed(sent.result)
      expectWithin(10, sent)
      projectsIn(await platform.post(projectList))
    },
  )
})
