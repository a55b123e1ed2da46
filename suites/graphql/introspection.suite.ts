import { describe } from 'vitest'
import { type GraphqlRequest, introspection } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { type Platform, test } from '../platform.ts'
import { theService } from '../specifications.ts'
import { delivered, errorsOf, expectErrors, shown } from './answers.ts'
import { expectNothingGivenAway } from './schema-silence.ts'
import { needBody } from './steps.ts'

const platformApi = theService('Platform API', '#platform-api')

const hidden = [
  'alias',
  'named fragment',
  'inline fragment',
  'directive with a variable',
  'second operation',
  'mutation document',
  'variable type name',
] as const

const formOf = (name: string): GraphqlRequest =>
  introspection[name] ?? { query: '{ __schema { types { name } } }' }

/** Without a token, and with one where there is one. */
const callers = ({ target }: Platform) =>
  target.tokens?.valid ? (['none', 'valid'] as const) : (['none'] as const)

describe('Introspection', () => {
  test(
    'graphql.introspection.standard-query',
    must('The query by which tools read a schema gets no schema, with a token or without', platformApi),
    async ({ platform }) => {
      for (const token of callers(platform)) {
        const answer = await platform.post(formOf('standard'), { token })
        expectErrors(answer)
        expectThat(!/"queryType"|"kind":/.test(answer.text()), 'nothing of a schema', 'members of one')
      }
    },
  )

  test(
    'graphql.introspection.hidden',
    must('The schema is not delivered where the question for it is hidden', platformApi),
    async ({ platform }) => {
      for (const token of callers(platform)) {
        await eachCase(
          hidden.map((name) => [`${name}, ${token} token`, formOf(name)] as const),
          async (request) => expectErrors(await platform.post(request, { token })),
        )
      }
    },
  )

  test(
    'graphql.introspection.get-and-batch',
    must('The schema is delivered neither by GET nor to an array of requests', platformApi),
    async ({ platform }) => {
      const request = formOf('schema')
      const parameters = new URLSearchParams({ query: request.query })
      for (const token of callers(platform)) {
        needBody(await platform.post(request, { token }))
        const answers = [
          await platform.request('GET', `?${parameters}`, { token, accept: 'application/json' }),
          await platform.post([request, formOf('type')], { token }),
        ]
        for (const answer of answers) {
          expectThat(answer.status < 500, 'an answer below 500', String(answer.status))
          expectThat(delivered(answer).length === 0, 'no data', shown(delivered(answer)[0]))
        }
      }
    },
  )

  test(
    'graphql.introspection.errors-silent',
    should('The refusal of introspection names no types or fields of the schema', platformApi),
    async ({ platform }) => {
      for (const token of callers(platform)) {
        await eachCase(Object.entries(introspection), async (request) => {
          const answer = await platform.post(request, { token })
          errorsOf(answer)
          expectNothingGivenAway(answer, request)
        })
      }
    },
  )
})
