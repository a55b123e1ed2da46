import { describe } from 'vitest'
import { projects, projectsInDisguise } from '../../fixtures/graphql-documents.ts'
import { expectStatus } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { test } from '../platform.ts'
import { theService } from '../specifications.ts'
import { expectCode, expectDataNull, expectMessage, expectRefused } from './unauthenticated.ts'

const cite = theService('Platform authentication', '#platform-authentication')

describe('A request without a token', () => {
  test(
    'graphql.auth.missing.http-200',
    must('The refusal of a request without a token has the status 200', cite),
    async ({ platform }) => {
      expectStatus(await platform.post(projects), 200)
    },
  )

  test(
    'graphql.auth.missing.message',
    must('The first error of a request without a token says "Not authenticated"', cite),
    async ({ platform }) => {
      expectMessage(await platform.post(projects))
    },
  )

  test(
    'graphql.auth.missing.code',
    must('The first error of a request without a token has the code UNAUTHENTICATED', cite),
    async ({ platform }) => {
      expectCode(await platform.post(projects))
    },
  )

  test(
    'graphql.auth.missing.data-null',
    must('The answer to a request without a token has data, and it is null', cite),
    async ({ platform }) => {
      expectDataNull(await platform.post(projects))
    },
  )
})

describe('A request with an expired token', () => {
  test(
    'graphql.auth.expired.http-200',
    must('The refusal of a request with an expired token has the status 200', cite, {
      needs: ['token.expired'],
    }),
    async ({ platform }) => {
      expectStatus(await platform.post(projects, 'expired'), 200)
    },
  )

  test(
    'graphql.auth.expired.message',
    must('The first error of a request with an expired token says "Not authenticated"', cite, {
      needs: ['token.expired'],
    }),
    async ({ platform }) => {
      expectMessage(await platform.post(projects, 'expired'))
    },
  )

  test(
    'graphql.auth.expired.code',
    must('The first error of a request with an expired token has the code UNAUTHENTICATED', cite, {
      needs: ['token.expired'],
    }),
    async ({ platform }) => {
      expectCode(await platform.post(projects, 'expired'))
    },
  )

  test(
    'graphql.auth.expired.data-null',
    must('The answer to a request with an expired token has data, and it is null', cite, {
      needs: ['token.expired'],
    }),
    async ({ platform }) => {
      expectDataNull(await platform.post(projects, 'expired'))
    },
  )
})

describe('A request with a revoked token', () => {
  test(
    'graphql.auth.revoked.http-200',
    must('The refusal of a request with a revoked token has the status 200', cite, {
      needs: ['token.revoked'],
    }),
    async ({ platform }) => {
      expectStatus(await platform.post(projects, 'revoked'), 200)
    },
  )

  test(
    'graphql.auth.revoked.message',
    must('The first error of a request with a revoked token says "Not authenticated"', cite, {
      needs: ['token.revoked'],
    }),
    async ({ platform }) => {
      expectMessage(await platform.post(projects, 'revoked'))
    },
  )

  test(
    'graphql.auth.revoked.code',
    must('The first error of a request with a revoked token has the code UNAUTHENTICATED', cite, {
      needs: ['token.revoked'],
    }),
    async ({ platform }) => {
      expectCode(await platform.post(projects, 'revoked'))
    },
  )

  test(
    'graphql.auth.revoked.data-null',
    must('The answer to a request with a revoked token has data, and it is null', cite, {
      needs: ['token.revoked'],
    }),
    async ({ platform }) => {
      expectDataNull(await platform.post(projects, 'revoked'))
    },
  )
})

describe('The list of projects in disguise', () => {
  const disguises = (names: readonly string[]) =>
    Object.entries(projectsInDisguise).filter(([name]) => names.includes(name))

  test(
    'graphql.auth.missing.alias',
    must('Without a token, projects are refused also under an alias', cite),
    async ({ platform }) => {
      await eachCase(disguises(['alias']), async (document) => {
        expectRefused(await platform.post(document))
      })
    },
  )

  test(
    'graphql.auth.missing.fragment',
    must('Without a token, projects are refused also in a fragment', cite),
    async ({ platform }) => {
      await eachCase(
        disguises(['named fragment', 'inline fragment', 'fragment without type']),
        async (document) => {
          expectRefused(await platform.post(document))
        },
      )
    },
  )

  test(
    'graphql.auth.missing.several-roots',
    must('Without a token, projects are refused also beside other root fields', cite),
    async ({ platform }) => {
      await eachCase(disguises(['several roots']), async (document) => {
        expectRefused(await platform.post(document))
      })
    },
  )

  test(
    'graphql.auth.missing.named-operation',
    must('Without a token, projects are refused also as one of several operations', cite),
    async ({ platform }) => {
      await eachCase(disguises(['named operation']), async (document) => {
        expectRefused(await platform.post(document))
      })
    },
  )

  test(
    'graphql.auth.malformed-scheme',
    should('An Authorization that is no Bearer credential counts as none', cite),
    async ({ platform }) => {
      const odd = ['Basic eDp5', 'Token x', 'Bearer', 'Bearer x y', 'Bearer,x'].map(
        (value) => [value, value] as const,
      )
      await eachCase(odd, async (authorization) => {
        expectRefused(await platform.post(projects, undefined, { authorization }))
      })
    },
  )
})
