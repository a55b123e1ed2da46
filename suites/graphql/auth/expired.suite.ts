import { describe } from 'vitest'
import { projects as projectList } from '../../../fixtures/graphql-documents.ts'
import { expectStatus } from '../../../harness/finding.ts'
import { must } from '../../../harness/requirement.ts'
import { theService } from '../../specifications.ts'
import { bodyOf } from '../answers.ts'
import { test } from '../projects-fixtures.ts'
import { expectCode, expectDataNull, expectMessage } from '../unauthenticated.ts'
import { expectEveryFormRefused, expectMutationRefused, expectNullableRefused } from './forms.ts'

const authentication = theService('Platform authentication', '#platform-authentication')
const needs = ['token.expired'] as const
const expired = { token: 'expired' } as const

describe('With an expired token', () => {
  test(
    'graphql.auth.expired.http-200',
    must('With an expired token the status is 200', authentication, { needs }),
    async ({ platform }) => {
      const answer = await platform.post(projectList, expired)
      expectStatus(answer, 200)
      bodyOf(answer)
    },
  )

  test(
    'graphql.auth.expired.message',
    must('With an expired token errors[0].message is exactly "Not authenticated"', authentication, { needs }),
    async ({ platform }) => expectMessage(await platform.post(projectList, expired)),
  )

  test(
    'graphql.auth.expired.code',
    must('With an expired token errors[0].extensions.code is UNAUTHENTICATED', authentication, { needs }),
    async ({ platform }) => expectCode(await platform.post(projectList, expired)),
  )

  test(
    'graphql.auth.expired.data-null',
    must('With an expired token data is there, and null', authentication, { needs }),
    async ({ platform }) => expectDataNull(await platform.post(projectList, expired)),
  )

  test(
    'graphql.auth.expired.forms',
    must('An expired token is refused in every form of a query', authentication, { needs }),
    ({ platform }) => expectEveryFormRefused(platform, 'expired'),
  )

  test(
    'graphql.auth.expired.mutation',
    must('An expired token cannot change anything', authentication, {
      needs: ['token.valid', 'token.expired', 'allow.mutations'],
    }),
    ({ platform, projects }) => expectMutationRefused(platform, projects, 'expired'),
  )

  test(
    'graphql.auth.expired.nullable',
    must(
      'With an expired token data as a whole is null, also where the field itself may be',
      authentication,
      {
        needs: ['token.valid', 'token.expired'],
      },
    ),
    ({ platform, skip }) => expectNullableRefused(platform, 'expired', skip),
  )
})
