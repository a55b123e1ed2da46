import { describe } from 'vitest'
import { projects as projectList, projectsInDisguise } from '../../fixtures/graphql-documents.ts'
import type { Answer } from '../../harness/answer.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import type { Asking } from '../platform.ts'
import { rfc, theService } from '../specifications.ts'
import { unlessBroken } from '../unless-broken.ts'
import { bodyOf, bodyShown, delivered, errorsOf, isObject, jsonOf, projectsIn, shown } from './answers.ts'
import { expectMutationRefused } from './auth/forms.ts'
import { alterations, bearer, hostileTokens, longestToken, sameForm, unknownToken } from './auth/tokens.ts'
import { test } from './projects-fixtures.ts'
import { needList } from './steps.ts'
import { expectUnauthenticated } from './unauthenticated.ts'

const authentication = theService('Platform authentication', '#platform-authentication')
const needs = ['token.valid'] as const
const anonymous = { token: 'none' } as const

describe('Tokens that do not count', () => {
  test(
    'graphql.auth.garbage',
    must('A token that the service does not know is refused like a missing one', authentication),
    async ({ platform }) => {
      for (const token of [unknownToken, bearer('x', 'the token x')]) {
        expectUnauthenticated(await platform.post(projectList, { token }))
      }
    },
  )

  test(
    'graphql.auth.no-partial-data',
    must(
      'Without a token no field of any object is delivered, in whatever form it is asked for',
      authentication,
    ),
    async ({ platform }) => {
      const nested = { query: '{ __typename projects { __typename data { __typename id } } }' }
      const bodies = [...Object.entries(projectsInDisguise), ['nested __typename', nested] as const]
      await eachCase<unknown>([...bodies, ['an array', [projectList, nested]] as const], async (body) => {
        const answer = await platform.post(body, anonymous)
        expectAnswered(answer)
        const leaked = delivered(answer).flatMap(fieldsOf)
        expectThat(leaked.length === 0, 'no field of an object', leaked.join(', '))
      })
    },
  )

  test(
    'graphql.auth.mutation',
    must('A mutation without a token is refused like a query and has no effect', authentication, {
      needs: ['token.valid', 'allow.mutations'],
    }),
    ({ platform, projects }) => expectMutationRefused(platform, projects, 'none'),
  )

  test(
    'graphql.auth.garbage.mutation',
    must('A token that the service does not know cannot change anything', authentication, {
      needs: ['token.valid', 'allow.mutations'],
    }),
    ({ platform, projects }) => expectMutationRefused(platform, projects, unknownToken),
  )

  test(
    'graphql.auth.empty',
    must('An empty Authorization header, and Bearer without a token, count as missing', authentication),
    async ({ platform }) => {
      const values = ['', 'Bearer', 'Bearer ', 'Bearer  ']
      await eachCase(
        values.map((value) => [JSON.stringify(value), value] as const),
        async (value) =>
          expectUnauthenticated(await platform.post(projectList, { token: { value, note: 'no token' } })),
      )
    },
  )

  test(
    'graphql.auth.malformed-scheme',
    should('Another scheme or a malformed header counts as missing', authentication),
    async ({ platform }) => {
      const values = ['Basic x', 'Token x', 'Bearer:x', 'Bearer x y', 'Bearer,x', 'x']
      await eachCase(
        values.map((value) => [value, value] as const),
        async (value) =>
          expectUnauthenticated(
            await platform.post(projectList, { token: { value, note: 'a made-up header' } }),
          ),
      )
    },
  )

  test(
    'graphql.auth.unknown-token',
    must('A token of the right form that was never issued is refused', authentication, { needs }),
    async ({ platform }) => {
      const token = bearer(
        sameForm(platform.target.tokens?.valid ?? ''),
        'a token of the right form, never issued',
      )
      expectUnauthenticated(await platform.post(projectList, { token }))
    },
  )

  test(
    'graphql.auth.altered-token',
    must(
      'The token counts as a whole: no part, extension, change or other case of it is taken',
      authentication,
      {
        needs,
      },
    ),
    async ({ platform }) => {
      await eachCase(alterations(platform.target.tokens?.valid ?? ''), async (altered) => {
        const token = bearer(altered, 'the valid token, altered')
        expectUnauthenticated(await platform.post(projectList, { token }))
      })
    },
  )

  test(
    'graphql.auth.injection',
    should(
      'Tokens with quotes, SQL, percent signs, other scripts or 64 KiB are refused like any other',
      authentication,
    ),
    async ({ platform }) => {
      const ask = (token: string) => platform.post(projectList, { token: bearer(token, 'a hostile token') })
      const cases = [
        ...hostileTokens.map((token) => [JSON.stringify(token), () => ask(token)] as const),
        // A server may close the connection on a header section that it does not want to read.
        ['64 KiB', () => unlessBroken(ask(longestToken))] as const,
      ]
      await eachCase(cases, async (answered) => expectRefusedSomehow(await answered()))
      expectUnauthenticated(await ask('x'))
    },
  )

  test(
    'graphql.auth.uniform',
    should('Missing, unknown, expired and revoked tokens cannot be told apart by the answer', authentication),
    async ({ platform }) => {
      const { expired, revoked } = platform.target.tokens ?? {}
      const tokens: readonly NonNullable<Asking['token']>[] = [
        unknownToken,
        ...(expired ? ['expired' as const] : []),
        ...(revoked ? ['revoked' as const] : []),
      ]
      const missing = profileOf(await platform.post(projectList, anonymous))
      for (const token of tokens) {
        const seen = profileOf(await platform.post(projectList, { token }))
        expectThat(seen === missing, `the answer to a missing token, ${missing}`, seen)
      }
    },
  )
})

describe('Tokens that count', () => {
  test(
    'graphql.auth.scheme-case',
    should('The scheme is compared without regard to case', rfc(9110)('11.1'), { needs }),
    async ({ platform }) => {
      const token = platform.target.tokens?.valid
      for (const scheme of ['bearer', 'BEARER']) {
        const authorization = { value: `${scheme} ${token}`, note: `${scheme} and the valid token` }
        projectsIn(await platform.post(projectList, { token: authorization }))
      }
    },
  )

  test(
    'graphql.auth.after-failure',
    must('A refused request leaves nothing behind for the next one, nor does a served one', authentication, {
      needs,
    }),
    async ({ platform }) => {
      needList(await platform.post(projectList))
      expectUnauthenticated(await platform.post(projectList, { token: unknownToken }))
      projectsIn(await platform.post(projectList))
      expectUnauthenticated(await platform.post(projectList, anonymous))
    },
  )
})

/** The answer is of GraphQL, or an array of such. */
function expectAnswered(answer: Answer): void {
  const right = answer.status < 500 && typeof jsonOf(answer) === 'object' && jsonOf(answer) !== null
  expectThat(right, 'an answer in JSON, below 500', () => `${answer.status}: ${bodyShown(answer)}`)
}

/** Names of the fields in some data that hold something, but for the name of the root type. */
function fieldsOf(data: unknown): readonly string[] {
  if (!isObject(data)) return [shown(data)]
  return Object.entries(data).flatMap(([key, value]) =>
    key === '__typename' || value === null || value === undefined ? [] : [key],
  )
}

/** The answer that is laid down, or one of the ways in which HTTP refuses a header. */
function expectRefusedSomehow(answer: Answer | undefined): void {
  if (answer && answer.status !== 400 && answer.status !== 431) expectUnauthenticated(answer)
}

/** All by which a caller could tell two refusals apart. */
function profileOf(answer: Answer): string {
  const body = bodyOf(answer)
  const [first] = errorsOf(answer)
  const { message, extensions } = isObject(first) ? first : {}
  const code = isObject(extensions) ? extensions['code'] : undefined
  const members = [...Object.keys(body), ...Object.keys(isObject(first) ? first : {})].sort().join()
  return JSON.stringify([answer.status, message, code, body['data'], members])
}
