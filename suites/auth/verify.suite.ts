import { describe } from 'vitest'
import type { Answer } from '../../harness/answer.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { need } from '../push.ts'
import { rfc, theService } from '../specifications.ts'
import { occupy, readManifest } from './attempts.ts'
import { made, test } from './login.ts'
import { expectUnauthorized } from './refusals.ts'
import { expectTurnedAway, needAccess } from './turned-away.ts'

const authentication = theService('Registry authentication', '#registry-authentication')
const errors = theService('Errors', '#errors')
const withToken = { needs: ['auth', 'credentials'] } as const

describe('Authorization that is no token', () => {
  test(
    'auth.verify.garbage',
    must('A string that is no JSON Web Token is refused', errors, { needs: ['auth'] }),
    async ({ present, repository, client, run }) => {
      await needAccess(client, run)
      for (const word of ['x', 'x.y.z', 'null', 'undefined', Buffer.from('owner').toString('base64')]) {
        await expectTurnedAway(present, made(`Bearer ${word}`, `"Bearer ${word}"`), repository)
      }
    },
  )

  test(
    'auth.verify.empty',
    must('Bearer without a token is refused', errors, { needs: ['auth'] }),
    async ({ present, repository, client, run }) => {
      await needAccess(client, run)
      for (const value of ['Bearer', 'Bearer ']) {
        await expectTurnedAway(present, made(value, `"${value}" alone`), repository)
      }
    },
  )

  test(
    'auth.verify.scheme',
    should(
      'A token counts only behind Bearer: not bare, not as a password, not in a cookie or form',
      authentication,
      withToken,
    ),
    async ({ login, present, http, registry }) => {
      const issued = await login.issue()
      const { token } = issued
      need('GET /v2/ with the token', await present(issued, 'GET', '/v2/'), 200)
      const username = registry.target.accounts?.owner?.username ?? ''
      const asPassword = [username, token, '<token>'].map((user) =>
        Buffer.from(`${user}:${token}`).toString('base64'),
      )
      for (const value of [
        token,
        `Token ${token}`,
        `Bearer${token}`,
        ...asPassword.map((text) => `Basic ${text}`),
      ]) {
        const note = `a valid token as "${value.replace(/\S{20,}/, '…')}"`
        expectStatus(await present(made(value, note), 'GET', '/v2/'), 401)
      }
      const cookies = ['token', 'access_token', 'Authorization', 'session'].map((name) => `${name}=${token}`)
      const elsewhere = { cookie: cookies.join('; '), 'x-access-token': token, 'x-auth-token': token }
      expectStatus(await http.request('GET', `${registry.target.url}/v2/`, { headers: elsewhere }), 401)
    },
  )

  test(
    'auth.verify.query-token-ignored',
    should('A token in the query is not accepted', rfc(6750)('2.3'), withToken),
    async ({ login, present, repository, client, content }) => {
      const { method, path } = readManifest(await occupy(client, repository, content))
      const { token } = await login.issue({ scopes: [`repository:${repository}:pull`] })
      for (const name of ['access_token', 'token', 'bearer_token', 'authorization', 'jwt']) {
        for (const where of ['/v2/', path]) {
          expectStatus(await present(undefined, method, `${where}?${name}=${token}`), 401)
        }
      }
    },
  )

  test(
    'auth.verify.reusable',
    must(
      'A token works for any number of requests, also side by side, until it expires',
      authentication,
      withToken,
    ),
    async ({ login, present }) => {
      const issued = await login.issue()
      need('GET /v2/ with a token', await present(issued, 'GET', '/v2/'), 200)
      const answers: Answer[] = []
      for (let round = 0; round < 5; round += 1) {
        const requests = Array.from({ length: 10 }, () => present(issued, 'GET', '/v2/'))
        answers.push(...(await Promise.all(requests)))
      }
      const refused = answers.filter(({ status }) => status !== 200)
      expectThat(
        refused.length === 0,
        '50 times 200',
        `${refused.length} others, the first ${refused[0]?.status}`,
      )
    },
  )

  test(
    'auth.verify.catalog-not-public',
    must('The catalogue is not served without a valid token', errors, { needs: ['auth', 'catalog'] }),
    async ({ present }) => {
      expectUnauthorized(await present(undefined, 'GET', '/v2/_catalog'))
      expectUnauthorized(await present(made('Bearer x.y.z', '"Bearer x.y.z"'), 'GET', '/v2/_catalog'))
    },
  )
})
