import { describe } from 'vitest'
import {
  introspection,
  projects as projectList,
  projectsInDisguise,
} from '../../../fixtures/graphql-documents.ts'
import { expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { eachCase } from '../../each-case.ts'
import { test } from '../../platform.ts'
import { theService } from '../../specifications.ts'
import {
  bodyOf,
  dataOf,
  delivered,
  expectErrors,
  expectErrorsWith200,
  expectMembers,
  expectNotServed,
  isRefused,
  shown,
} from '../answers.ts'
import { needBody } from '../steps.ts'
import { expectCode, expectDataNull, expectMessage, expectUnauthenticated } from '../unauthenticated.ts'
import { expectNullableRefused } from './forms.ts'

const authentication = theService('Platform authentication', '#platform-authentication')
const platformApi = theService('Platform API', '#platform-api')
const errors = theService('Errors', '#errors')
const anonymous = { token: 'none' } as const

const disguised = (form: keyof typeof projectsInDisguise) => projectsInDisguise[form] ?? projectList

describe('Without a token', () => {
  test(
    'graphql.auth.missing.http-200',
    must('Without a token the status is 200', authentication),
    async ({ platform }) => {
      const answer = await platform.post(projectList, anonymous)
      expectStatus(answer, 200)
      bodyOf(answer)
    },
  )

  test(
    'graphql.auth.missing.message',
    must('Without a token errors[0].message is exactly "Not authenticated"', authentication),
    async ({ platform }) => expectMessage(await platform.post(projectList, anonymous)),
  )

  test(
    'graphql.auth.missing.code',
    must('Without a token errors[0].extensions.code is UNAUTHENTICATED', authentication),
    async ({ platform }) => expectCode(await platform.post(projectList, anonymous)),
  )

  test(
    'graphql.auth.missing.data-null',
    must('Without a token data is there, and null', authentication),
    async ({ platform }) => expectDataNull(await platform.post(projectList, anonymous)),
  )

  test(
    'graphql.auth.missing.alias',
    must('Without a token a field under an alias is refused as without one', authentication),
    async ({ platform }) => expectUnauthenticated(await platform.post(disguised('alias'), anonymous)),
  )

  test(
    'graphql.auth.missing.fragment',
    must('Without a token fields in fragments are refused as outside of them', authentication),
    async ({ platform }) => {
      const forms = ['named fragment', 'inline fragment', 'fragment without type']
      await eachCase(
        forms.map((form) => [form, form] as const),
        async (form) => expectUnauthenticated(await platform.post(disguised(form), anonymous)),
      )
    },
  )

  test(
    'graphql.auth.missing.several-roots',
    must('Without a token several root fields are refused like one, by the same first error', authentication),
    async ({ platform }) => expectUnauthenticated(await platform.post(disguised('several roots'), anonymous)),
  )

  test(
    'graphql.auth.missing.named-operation',
    must('Without a token an operation that is chosen by its name is refused like any other', authentication),
    async ({ platform }) =>
      expectUnauthenticated(await platform.post(disguised('named operation'), anonymous)),
  )

  test(
    'graphql.auth.missing.nullable',
    must('Without a token data as a whole is null, also where the field itself may be', authentication, {
      needs: ['token.valid'],
    }),
    ({ platform, skip }) => expectNullableRefused(platform, 'none', skip),
  )

  test(
    'graphql.auth.missing.invalid-document',
    must('Without a token an invalid document is HTTP 200 with errors and delivers nothing', errors),
    async ({ platform }) => {
      const documents = ['{ projects {', '{ nosuchField }', '{ projects { data { id } } nosuchField }']
      await eachCase(
        documents.map((query) => [query, query] as const),
        async (query) => expectErrorsWith200(await platform.post({ query }, anonymous)),
      )
    },
  )

  test(
    'graphql.auth.missing.typename',
    may(
      'Without a token __typename alone is refused, or names the root type and nothing else',
      authentication,
    ),
    async ({ platform }) => {
      const answer = await platform.post({ query: '{ __typename }' }, anonymous)
      if (isRefused(answer)) return expectUnauthenticated(answer)
      const data = dataOf(answer)
      expectMembers(data, ['__typename'])
      expectThat(typeof data['__typename'] === 'string', 'the name of the root type', shown(data))
    },
  )

  test(
    'graphql.auth.missing.batch',
    should('Without a token an array of requests delivers nothing', authentication),
    async ({ platform }) => expectNotServed(await platform.post([projectList, projectList], anonymous)),
  )

  test(
    'graphql.auth.missing.get',
    must('Without a token GET delivers nothing', authentication),
    async ({ platform }) => {
      needBody(await platform.post(projectList, anonymous))
      const parameters = new URLSearchParams({ query: projectList.query })
      const answer = await platform.request('GET', `?${parameters}`, {
        ...anonymous,
        accept: 'application/json',
      })
      expectThat(answer.status < 500, 'an answer below 500', String(answer.status))
      expectThat(delivered(answer).length === 0, 'no data', shown(delivered(answer)[0]))
    },
  )

  test(
    'graphql.auth.missing.introspection',
    must('Without a token no part of the schema is delivered', platformApi),
    async ({ platform }) => {
      await eachCase(Object.entries(introspection), async (request) =>
        expectErrors(await platform.post(request, anonymous)),
      )
    },
  )
})
