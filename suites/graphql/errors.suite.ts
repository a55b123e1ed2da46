import { projects } from '../../fixtures/graphql-documents.ts'
import type { Answer } from '../../harness/answer.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { errorsOf, expectNoData, type GraphqlError, test } from '../platform.ts'
import { graphqlLanguage, theService } from '../specifications.ts'

const errors = theService('Errors', '#errors')
const format = graphqlLanguage('Errors', '#sec-Errors')
const needs = ['token.valid'] as const

/** Requests that cannot be run, each for another reason. */
const broken: readonly (readonly [name: string, body: string])[] = [
  ['a syntax error', JSON.stringify({ query: '{ projects {' })],
  ['an unknown field', JSON.stringify({ query: '{ nosuchfield }' })],
  ['no query', '{}'],
  ['no JSON', '{"query": '],
]

function expectRequestError(answer: Answer): void {
  expectStatus(answer, 200)
  errorsOf(answer)
  expectNoData(answer)
}

test(
  'graphql.errors.http-200',
  must('Whatever is wrong with a request, the answer is HTTP 200 with errors', errors),
  async ({ platform }) => {
    await eachCase(broken, async (body) => {
      const answer = await platform.post(body, 'valid')
      expectStatus(answer, 200)
      errorsOf(answer)
    })
  },
)

test(
  'graphql.errors.variables-200',
  must('Variables that do not fit are an error with HTTP 200', errors, { needs }),
  async ({ platform }) => {
    const query = 'query ($yes: Boolean!) { projects @include(if: $yes) { data { id } } }'
    const wrong = [{}, { yes: null }, { yes: 'yes' }].map((v) => [JSON.stringify(v), v] as const)
    await eachCase(wrong, async (variables) => {
      expectRequestError(await platform.post({ query, variables }, 'valid'))
    })
  },
)

test(
  'graphql.errors.operation-200',
  must('An operation that cannot be told is an error with HTTP 200', errors, { needs }),
  async ({ platform }) => {
    const query = 'query A { __typename } query B { __typename }'
    expectRequestError(await platform.post({ query, operationName: 'C' }, 'valid'))
    expectRequestError(await platform.post({ query }, 'valid'))
  },
)

test(
  'graphql.errors.request-error-no-data',
  must('A request that is not run has no data', graphqlLanguage('Response', '#sec-Response-Format'), {
    needs,
  }),
  async ({ platform }) => {
    await eachCase(broken, async (body) => {
      expectNoData(await platform.post(body, 'valid'))
    })
  },
)

test(
  'graphql.errors.all-or-nothing',
  must(
    'A document with one unknown field is not run at all',
    graphqlLanguage('Executing requests', '#sec-Executing-Requests'),
    { needs },
  ),
  async ({ platform }) => {
    const answer = await platform.post({ query: '{ projects { data { id } } nosuchfield }' }, 'valid')
    errorsOf(answer)
    expectNoData(answer)
  },
)

test(
  'graphql.errors.shape',
  must('errors is a list of objects with a message each', format),
  async ({ platform }) => {
    await eachCase(broken, async (body) => {
      const odd = errorsOf(await platform.post(body, 'valid')).find(
        ({ message }) => typeof message !== 'string',
      )
      expectThat(odd === undefined, 'errors with a message', JSON.stringify(odd))
    })
  },
)

const known: readonly string[] = ['message', 'locations', 'path', 'extensions']

test(
  'graphql.errors.no-extra-members',
  should('An error has no members but message, locations, path and extensions', format),
  async ({ platform }) => {
    await eachCase(broken, async (body) => {
      const extra = (error: GraphqlError) => Object.keys(error).filter((key) => !known.includes(key))
      const seen = errorsOf(await platform.post(body, 'valid')).flatMap(extra)
      expectThat(seen.length === 0, `no members but ${known.join(', ')}`, seen.join(', '))
    })
  },
)

test(
  'graphql.errors.no-token-echo',
  should('No answer repeats the token', errors, { needs }),
  async ({ platform, run }) => {
    const token = run.targets.graphql?.tokens?.valid ?? ''
    await eachCase([['a good request', JSON.stringify(projects)], ...broken], async (body) => {
      const echoed = (await platform.post(body, 'valid')).text().includes(token)
      expectThat(!echoed, 'an answer without the token', 'the token in the body')
    })
  },
)
