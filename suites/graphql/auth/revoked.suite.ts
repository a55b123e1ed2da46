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
const needs = ['token.revoked'] as const
const revoked = { token: 'revoked' } as const

describe('With a revoked token', () => {
  test(
    'graphql.auth.revoked.http-200',
    must('With a revoked token the status is 200', authentication, { needs }),
    async ({ platform }) => {
      const answer = await platform.post(projectList, revoked)
      expectStatus(answer, 200)
      bodyOf(answer)
    },
  )

  test(
    'graphql.auth.revoked.message',
    must('With a revoked token errors[0].message is exactly "Not authenticated"', authentication, { needs }),
    async ({ platform }) => expectMessage(await platform.post(projectList, revoked)),
  )

  test(
    'graphql.auth.revoked.code',
    must('With a revoked token errors[0].extensions.code is UNAUTHENTICATED', authentication, { needs }),
    async ({ platform }) => expectCode(await platform.post(projectList, revoked)),
  )

  test(
    'graphql.auth.revoked.data-null',
    must('With a revoked token data is there, and null', authentication, { needs }),
    async ({ platform }) => expectDataNull(await platform.post(projectList, revoked)),
  )

  test(
    'graphql.auth.revoked.forms',
    must('A revoked token is refused in every form of a query', authentication, { needs }),
    ({ platform }) => expectEveryFormRefused(platform, 'revoked'),
  )

  test(
    'graphql.auth.revoked.mutation',
    must('A revoked token cannot change anything', authentication, {
      needs: ['token.valid', 'token.revoked', 'allow.mutations'],
    }),
    ({ platform, projects }) => expectMutationRefused(platform, projects, 'revoked'),
  )

  test(
    'graphql.auth.revoked.nullable',
    must('With a revoked token data as a whole is null, also where the field itself may be', authentication, {
      needs: ['token.valid', 'token.revoked'],
    }),
    ({ platform, skip }) => expectNullableRefused(platform, 'revoked', skip),
  )
})
