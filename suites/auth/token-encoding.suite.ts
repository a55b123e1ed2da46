import { describe } from 'vitest'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { may, should } from '../../harness/requirement.ts'
import { basic, type TokenRequest, tokenOf } from '../../harness/token-service.ts'
import { distributionDocs, rfc, theService } from '../specifications.ts'
import { accessOf, claimsOf } from './json-web-token.ts'
import { type Issued, type Login, madeToken, test } from './login.ts'
import { form, misfits } from './token-bodies.ts'
import { expectNoToken, isRefusal } from './token-refusal.ts'

const registryApi = theService('Registry API', '#registry-api')
const tokens = theService('Tokens', '#tokens')
const withCredentials = { needs: ['credentials'] } as const

describe('Encodings of credentials', () => {
  test(
    'auth.token.encoding.json',
    may('Where credentials are taken as JSON, the token works', registryApi, withCredentials),
    async ({ login, present, skip }) => {
      const issued = await issuedBy(login, 'post-json')
      if (!issued) return skip('JSON gives no token')
      expectStatus(await present(issued, 'GET', '/v2/'), 200)
    },
  )

  test(
    'auth.token.encoding.form',
    may(
      'Where credentials are taken as a form, with and without grant_type, the token works',
      distributionDocs('auth/oauth')('Getting a token', '#getting-a-token'),
      withCredentials,
    ),
    async ({ login, present, http, registry, skip }) => {
      const issued = await issuedBy(login, 'post-form')
      const { username = '', password = '' } = registry.target.accounts?.owner ?? {}
      const named = login.service === undefined ? {} : { service: login.service }
      const plain = await http.request('POST', login.realm, form({ username, password, ...named }))
      const found = [issued?.token, tokenOf(plain)].filter((token) => token !== undefined)
      skip(found.length === 0, 'a form gives no token')
      for (const token of found) {
        expectStatus(await present(madeToken(token, 'the token from the form'), 'GET', '/v2/'), 200)
      }
    },
  )

  test(
    'auth.token.encoding.basic',
    may(
      'Where Basic credentials are taken, in any case of the scheme, the token works',
      distributionDocs('auth/token')('Example', '#example'),
      withCredentials,
    ),
    async ({ login, present, http, registry, skip }) => {
      const issued = await issuedBy(login, 'post-basic')
      if (!issued) return skip('POST with Basic credentials gives no token')
      expectStatus(await present(issued, 'GET', '/v2/'), 200)
      const { owner } = registry.target.accounts ?? {}
      const authorization = basic(owner ?? { username: '', password: '' }).replace('Basic', 'bASIC')
      const credentials = { kind: 'made', note: 'bASIC and the credentials of owner' } as const
      expectStatus(await http.request('POST', login.realm, { headers: { authorization }, credentials }), 200)
    },
  )

  test(
    'auth.token.encoding.same',
    should(
      'Whatever the encoding, the claims are the same: sub, iss, aud and access',
      tokens,
      withCredentials,
    ),
    async ({ login, repository, skip }) => {
      const all = await login.issueEachWay({ scopes: [`repository:${repository}:pull,push`] })
      skip(all.length < 2, 'fewer than two encodings give a token')
      const [first, ...rest] = all.map(({ way, token }) => ({ way, claims: kindOf(token) }))
      for (const { way, claims } of rest) {
        expectThat(claims === first?.claims, `${first?.way}: ${first?.claims}`, `${way}: ${claims}`)
      }
    },
  )

  test(
    'auth.token.password-special-chars',
    should(
      'A password with + % & = : and letters beyond ASCII survives every encoding that works',
      rfc(6749)('4.3.2'),
      {
        needs: ['credentials', 'special'],
      },
    ),
    async ({ login, registry }) => {
      const { username } = registry.target.accounts?.special ?? {}
      for (const { way } of await login.issueEachWay()) {
        const answer = await login.ask(way, { account: 'special' })
        expectThat(answer.status === 200, `a token for special by ${way}`, `${answer.status}`)
        const { sub } = claimsOf(tokenOf(answer) ?? '').payload
        expectThat(sub === username, `sub "${username}"`, `${sub}`)
      }
    },
  )

  test(
    'auth.token.wrong-content-type',
    should(
      'A body under a Content-Type that does not fit it is refused or read for what it is',
      rfc(9110)('15.5.16'),
      withCredentials,
    ),
    async ({ login, http, registry, content }) => {
      await login.issue()
      const right = registry.target.accounts?.owner ?? { username: '', password: '' }
      for (const options of misfits(right)) {
        const answer = await http.request('POST', login.realm, options)
        expectThat(
          tokenOf(answer) !== undefined || isRefusal(answer),
          'a refusal, or a token',
          `${answer.status}`,
        )
      }
      for (const options of misfits({ username: content.name('nobody'), password: 'assay-wrong' })) {
        expectNoToken(await http.request('POST', login.realm, options))
      }
    },
  )
})

/** The token that the owner gets in one way; `undefined` where that way gives none. */
async function issuedBy(login: Login, way: TokenRequest): Promise<Issued | undefined> {
  return (await login.issueEachWay()).find((issued) => issued.way === way)
}

/** What must not depend on how the token was asked for. */
function kindOf(text: string): string {
  const token = claimsOf(text)
  const { sub, iss, aud } = token.payload
  const access = accessOf(token).map(({ type, name, actions }) => `${type}:${name}:${[...actions].sort()}`)
  return JSON.stringify({ sub, iss, aud, access: access.sort() })
}
