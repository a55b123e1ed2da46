import { describe } from 'vitest'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import type { Platform } from '../platform.ts'
import { graphqlLanguage, theService } from '../specifications.ts'
import { entriesIn, expectErrors, expectErrorsWith200, expectMembers, projectsIn } from './answers.ts'
import { test } from './projects-fixtures.ts'
import { needList } from './steps.ts'

const coercion = graphqlLanguage('Coercing Variable Values', '#sec-Coercing-Variable-Values')
const needs = ['token.valid'] as const

const required = 'query ($a: Boolean!) { projects { data { id name @include(if: $a) } } }'
const withDefault = 'query ($a: Boolean = false) { projects { data { id name @include(if: $a) } } }'

/** Every project in the answer has a name, or none has. */
async function expectNames(platform: Platform, body: unknown, names: boolean): Promise<void> {
  for (const entry of entriesIn(await platform.post(body)))
    expectMembers(entry, names ? ['id', 'name'] : ['id'])
}

describe('Variables', () => {
  test(
    'graphql.variables.used',
    must('The values of variables reach the document', coercion, { needs }),
    async ({ platform, projects }) => {
      await projects.own()
      for (const a of [true, false]) await expectNames(platform, { query: required, variables: { a } }, a)
    },
  )

  test(
    'graphql.variables.default',
    must('The default of a variable counts where no value is given, and only there', coercion, { needs }),
    async ({ platform, projects }) => {
      await projects.own()
      for (const variables of [undefined, {}, { a: true }])
        await expectNames(platform, { query: withDefault, variables }, variables?.a ?? false)
    },
  )

  test(
    'graphql.variables.missing',
    must('A required variable that is missing or null is an error, and nothing is executed', coercion, {
      needs,
    }),
    async ({ platform }) => {
      needList(await platform.post({ query: required, variables: { a: true } }))
      const bodies = [{ query: required }, { query: required, variables: { a: null } }]
      for (const body of bodies) expectErrors(await platform.post(body))
    },
  )

  test(
    'graphql.variables.wrong-type',
    must('A value of another type is an error, and is not converted', coercion, { needs }),
    async ({ platform }) => {
      needList(await platform.post({ query: required, variables: { a: true } }))
      const values = ['true', 1, [], {}]
      await eachCase(
        values.map((a) => [`a: ${JSON.stringify(a)}`, a] as const),
        async (a) => expectErrors(await platform.post({ query: required, variables: { a } })),
      )
    },
  )

  test(
    'graphql.variables.extra',
    should('Variables that the operation does not declare are ignored', coercion, { needs }),
    async ({ platform }) => {
      projectsIn(await platform.post({ query: required, variables: { a: true, zzz: 1 } }))
    },
  )

  test(
    'graphql.variables.not-object',
    must('variables that is not an object is HTTP 200 with errors', theService('Errors', '#errors'), {
      needs,
    }),
    async ({ platform }) => {
      const values = [[], 'x', 5]
      await eachCase(
        values.map((variables) => [JSON.stringify(variables), variables] as const),
        async (variables) => {
          const query = '{ projects { data { id } } }'
          expectErrorsWith200(await platform.post({ query, variables }))
        },
      )
    },
  )

  test(
    'graphql.variables.undeclared',
    must(
      'The use of a variable that is not declared is an error',
      graphqlLanguage('All Variable Uses Defined', '#sec-All-Variable-Uses-Defined'),
      { needs },
    ),
    async ({ platform }) => {
      const query = '{ projects { data { id name @include(if: $b) } } }'
      expectErrors(await platform.post({ query, variables: { b: true } }))
    },
  )
})
