import { describe } from 'vitest'
import { expectHeader, expectRefusal, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { memberOf } from '../json-member.ts'
import { need } from '../push.ts'
import { distributionDocs, rfc, theService } from '../specifications.ts'
import { occupy, readManifest } from './attempts.ts'
import { followed } from './followed.ts'
import { claimsOf } from './json-web-token.ts'
import type { Issued } from './login.ts'
import { serverTime, skewSeconds } from './server-time.ts'
import { test } from './token-fixtures.ts'

const authentication = theService('Registry authentication', '#registry-authentication')
const registryApi = theService('Registry API', '#registry-api')
const tokens = theService('Tokens', '#tokens')
const fields = distributionDocs('auth/token')('Token Response Fields', '#token-response-fields')
const example = distributionDocs('auth/token')('Example', '#example')
const shortestSeconds = 60

describe('Getting a token', () => {
  test(
    'auth.token.post.200',
    must('POST of username and password to the token service answers 200 with a JSON object', registryApi, {
      needs: ['credentials'],
    }),
    async ({ posted }) => {
      const { good, seen } = posted
      expectThat(good.length > 0, 'POST as JSON, form or Basic to answer 200 with a JSON object', seen)
    },
  )

  test(
    'auth.token.post.field-token',
    must('The answer to POST has a member token, a string that is not empty', registryApi, {
      needs: ['credentials'],
    }),
    async ({ posted, skip }) => {
      skip(posted.good.length === 0, 'no POST was answered with 200 and a JSON object')
      for (const { way, body } of posted.good) {
        const { token } = body
        const seen = `${way}: members ${Object.keys(body).join(', ')}`
        expectThat(typeof token === 'string' && token !== '', 'a member token that is a string', seen)
      }
    },
  )

  test(
    'auth.token.get',
    should('GET with service, scope and Basic credentials gives a token too', example, {
      needs: ['credentials'],
    }),
    async ({ login, repository }) => {
      const answer = await login.ask('get-basic', { scopes: [`repository:${repository}:pull`] })
      expectStatus(answer, 200)
      const token = memberOf(answer, 'token') ?? memberOf(answer, 'access_token')
      expectThat(typeof token === 'string', 'a token', `${typeof token}`)
    },
  )

  test(
    'auth.token.access-token-equal',
    should('Where an answer has both token and access_token, they are equal', fields, {
      needs: ['credentials'],
    }),
    async ({ login, skip }) => {
      const both = (await login.issueEachWay()).filter(
        ({ body }) => 'token' in body && 'access_token' in body,
      )
      skip(both.length === 0, 'no answer has both token and access_token')
      for (const { way, body } of both) {
        expectThat(
          body['token'] === body['access_token'],
          'the same token twice',
          `${way}: two different ones`,
        )
      }
    },
  )

  test(
    'auth.token.content-type',
    should('The answer with a token is application/json', example, { needs: ['credentials'] }),
    async ({ login }) => {
      for (const { answer } of await login.issueEachWay()) {
        expectHeader(answer, 'content-type', /^application\/json\s*(?:;|$)/i)
      }
    },
  )

  test(
    'auth.token.no-store',
    should('The answer with a token forbids caches to keep it', rfc(6749)('5.1'), { needs: ['credentials'] }),
    async ({ login }) => {
      for (const { answer } of await login.issueEachWay()) {
        expectHeader(answer, 'cache-control', /(?:^|[\s,])no-store(?:$|[\s,])/i)
      }
    },
  )

  test(
    'auth.token.expires-in',
    should(
      'expires_in is a whole number of seconds and at least 60; without it the token lasts 60 s',
      fields,
      {
        needs: ['credentials'],
      },
    ),
    async ({ login }) => {
      const { body, token, answer } = await login.issue()
      const { exp } = claimsOf(token).payload
      const implied = Number(exp) - serverTime(answer) + skewSeconds
      const lifetime = body['expires_in'] ?? Math.floor(implied)
      const seen = `expires_in ${JSON.stringify(body['expires_in'])}, exp ${exp}`
      expectThat(Number.isInteger(lifetime), 'expires_in in whole seconds', seen)
      expectThat(Number(lifetime) >= shortestSeconds, 'at least 60 seconds', seen)
      expectThat(Number(lifetime) < serverTime(answer) / 2, 'a duration, not a point in time', seen)
    },
  )

  test(
    'auth.token.expires-in-true',
    should('expires_in agrees with the exp of the token', fields, { needs: ['credentials'] }),
    async ({ login, skip }) => {
      const { body, token, answer } = await login.issue()
      const { expires_in: told } = body
      skip(told === undefined, 'the answer has no expires_in')
      const { exp, iat } = claimsOf(token).payload
      const issued = typeof iat === 'number' ? iat : serverTime(answer)
      const off = Math.abs(Number(told) - (Number(exp) - issued))
      expectThat(off <= skewSeconds, `expires_in near ${Number(exp) - issued}, as exp says`, `${told}`)
    },
  )

  test(
    'auth.token.issued-at',
    should('issued_at is a time of RFC 3339 in UTC: the time at which the token was issued', fields, {
      needs: ['credentials'],
    }),
    async ({ login, skip }) => {
      const { body, token, answer } = await login.issue()
      const { issued_at: told } = body
      skip(told === undefined, 'the answer has no issued_at')
      const utc = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]00:00)$/
      expectThat(typeof told === 'string' && utc.test(told), 'a time like 2026-01-31T12:00:00Z', `${told}`)
      const seconds = Date.parse(told) / 1000
      expectThat(seconds <= serverTime(answer) + skewSeconds, 'a time that is not in the future', told)
      const { iat } = claimsOf(token).payload
      const off = typeof iat === 'number' ? Math.abs(seconds - iat) : 0
      expectThat(off <= skewSeconds, `the time of iat, ${new Date(Number(iat) * 1000).toISOString()}`, told)
    },
  )

  test(
    'auth.token.usable',
    must('A new token is accepted at once, for GET /v2/ and for what its access names', authentication, {
      needs: ['credentials', 'push'],
    }),
    async ({ login, present, client, repository, content }) => {
      const occupied = await occupy(client, repository, content)
      const issued = await login.issue({ scopes: [`repository:${repository}:pull,push`] })
      expectStatus(await present(issued, 'GET', '/v2/'), 200)
      expectStatus(await followed(present, issued, readManifest(occupied)), 200)
      expectStatus(await present(issued, 'POST', `/v2/${repository}/blobs/uploads/`), 202)
    },
  )

  test(
    'auth.token.repeatable',
    should('A second token of an account does not end the first', authentication, { needs: ['credentials'] }),
    async ({ login, present }) => {
      const first = await login.issue()
      need('GET /v2/ with the first token', await present(first, 'GET', '/v2/'), 200)
      const second = await login.issue()
      need('GET /v2/ with the second token', await present(second, 'GET', '/v2/'), 200)
      expectStatus(await present(first, 'GET', '/v2/'), 200)
    },
  )

  test(
    'auth.token.distinct-users',
    must('A token that one account asked for never names another', tokens, {
      needs: ['credentials', 'reader'],
    }),
    async ({ login, registry }) => {
      const accounts = Array.from({ length: 5 }, () => ['owner', 'reader'] as const).flat()
      const issued = await Promise.all(accounts.map((account) => login.issue({ account })))
      for (const [i, { token }] of issued.entries()) {
        const username = registry.target.accounts?.[accounts[i] ?? 'owner']?.username
        const { sub } = claimsOf(token).payload
        expectThat(sub === username, `sub "${username}" in the token of ${accounts[i]}`, `${sub}`)
      }
    },
  )

  test(
    'auth.token.service-mismatch',
    should(
      'A token for another service does not work here',
      distributionDocs('auth/scope')('Audience', '#audience-resource-provider'),
      {
        needs: ['auth', 'credentials'],
      },
    ),
    async ({ login, present, run }) => {
      const service = 'other.example'
      const usual = await login.issue()
      const answer = await login.ask(run.access.tokenRequest ?? 'get-basic', { service })
      if (answer.status !== 200) return expectRefusal(answer)
      const issued = await login.issue({ service })
      const audienceOf = ({ token }: Issued) => JSON.stringify(claimsOf(token).payload['aud'])
      const ignored = audienceOf(issued) === audienceOf(usual)
      const { status } = await present(issued, 'GET', '/v2/')
      expectThat(ignored || status === 401, `401 to a token for ${service}`, `${status}`)
    },
  )
})
