import { describe } from 'vitest'
import type { Answer } from '../../harness/answer.ts'
import { expectRefusal, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { tokenOf, tokenRequests } from '../../harness/token-service.ts'
import { withParameter } from '../push.ts'
import { distributionDocs, rfc, theService } from '../specifications.ts'
import { occupy, readManifest } from './attempts.ts'
import { claimsOf } from './json-web-token.ts'
import { madeToken, test } from './login.ts'
import { form, json, malformed, partial } from './token-bodies.ts'
import { expectNoToken, expectPowerless, faceOf } from './token-refusal.ts'

const authentication = theService('Registry authentication', '#registry-authentication')
const example = distributionDocs('auth/token')('Example', '#example')
const withCredentials = { needs: ['credentials'] } as const
const throttled = 'the token service throttles logins'

/** Each requirement first gets a token: a service that refuses everyone would keep every rule here. */
describe('Refused logins', () => {
  test(
    'auth.token.bad-credentials.401',
    should(
      'A wrong password and an unknown user are answered 401, alike and without a token',
      example,
      withCredentials,
    ),
    async ({ login, registry, content, run, skip }) => {
      await login.issue()
      const way = run.access.tokenRequest ?? 'get-basic'
      const username = registry.target.accounts?.owner?.username ?? ''
      const known = await login.ask(way, { credentials: { username, password: 'assay-wrong-password' } })
      const unknown = await login.ask(way, {
        credentials: { username: content.name('nobody'), password: 'assay-wrong-password' },
      })
      for (const answer of [known, unknown]) {
        skip(answer.status === 429, throttled)
        expectStatus(answer, 401)
        expectNoToken(answer)
      }
      expectThat(
        faceOf(known) === faceOf(unknown),
        `as for an unknown user: ${faceOf(unknown)}`,
        faceOf(known),
      )
    },
  )

  test(
    'auth.token.bad-credentials.no-token',
    must(
      'Wrong, empty or missing credentials give no token that opens more than none would',
      authentication,
      {
        needs: ['auth', 'credentials', 'push', 'private'],
      },
    ),
    async ({ login, registry, http, client, present, repository, content }) => {
      const { method, path, options } = readManifest(await occupy(client, repository, content))
      const username = registry.target.accounts?.owner?.username ?? ''
      const cases = [
        { username, password: 'assay-wrong-password' },
        { username: content.name('nobody'), password: 'assay-wrong-password' },
        { username, password: '' },
      ]
      const scopes = [`repository:${repository}:pull,push`]
      const open = async (token: string) => [
        await present(madeToken(token, 'a token for wrong credentials'), method, path, options),
        await present(
          madeToken(token, 'a token for wrong credentials'),
          'POST',
          `/v2/${repository}/blobs/uploads/`,
        ),
      ]
      const asked = tokenRequests.flatMap((way) =>
        cases.map((credentials) => login.ask(way, { credentials, scopes })),
      )
      const realm = withParameter(login.realm, 'scope', scopes.join())
      const posted = [json({ username }), form({ username })].map((body) => http.request('POST', realm, body))
      for (const answer of await Promise.all([...asked, ...posted])) await expectPowerless(answer, open)
    },
  )

  test(
    'auth.token.missing-credentials',
    should('Without credentials there is a refusal, or a token that opens nothing private', example, {
      needs: ['auth', 'push', 'private'],
    }),
    async ({ login, client, present, repository, content }) => {
      const { method, path, options } = readManifest(await occupy(client, repository, content))
      const scopes = [`repository:${repository}:pull,push`]
      const open = async (token: string) => [
        await present(madeToken(token, 'an anonymous token'), method, path, options),
        await present(madeToken(token, 'an anonymous token'), 'POST', `/v2/${repository}/blobs/uploads/`),
      ]
      for (const way of ['get-basic', 'post-basic'] as const) {
        await expectPowerless(await login.ask(way, { account: null, scopes }), open)
      }
    },
  )

  test(
    'auth.token.anonymous',
    should('An anonymous token, where one is given, names nobody and holds only what is public', example, {
      needs: ['auth', 'private'],
    }),
    async ({ login, repository }) => {
      await login.issue()
      const scopes = [`repository:${repository}:pull,push`]
      for (const way of ['get-basic', 'post-basic'] as const) {
        const answer = await login.ask(way, { account: null, scopes })
        if (answer.status !== 200) expectRefusal(answer)
        const { access = [], sub = '' } = answer.status === 200 ? payloadOf(answer) : {}
        expectThat(
          Array.isArray(access) && access.length === 0,
          'a refusal or no access',
          JSON.stringify(access),
        )
        expectThat(sub === '', 'a refusal or an empty sub', JSON.stringify(sub))
      }
    },
  )

  test(
    'auth.token.anonymous-public',
    should('Where anyone may pull, an anonymous token allows that and nothing else', example, {
      needs: ['auth', 'content'],
    }),
    async ({ login, present, registry, skip }) => {
      const [{ repository = '', tag = '', digest = tag } = {}] = registry.target.content ?? []
      const answer = await login.ask('get-basic', {
        account: null,
        scopes: [`repository:${repository}:pull,push`],
      })
      skip(answer.status !== 200, `an anonymous caller gets no token: ${answer.status}`)
      const token = madeToken(tokenOf(answer) ?? '', 'an anonymous token')
      const pulled = await present(token, 'HEAD', `/v2/${repository}/manifests/${digest}`)
      skip(pulled.status !== 200, `${repository} is not public: ${pulled.status}`)
      expectStatus(await present(token, 'POST', `/v2/${repository}/blobs/uploads/`), 401, 403)
    },
  )

  test(
    'auth.token.missing-field',
    should('A request without username or password is refused', rfc(6749)('5.2'), withCredentials),
    async ({ login, registry, http, skip }) => {
      await login.issue()
      const { owner } = registry.target.accounts ?? {}
      for (const options of partial(owner ?? { username: '', password: '' })) {
        const answer = await http.request('POST', login.realm, { ...options, patient: false })
        skip(answer.status === 429, throttled)
        expectNoToken(answer)
      }
    },
  )

  test(
    'auth.token.malformed-request',
    should(
      'A body that is broken or of the wrong shape is refused, never 5xx and never a token',
      rfc(6749)('5.2'),
      withCredentials,
    ),
    async ({ login, http }) => {
      await login.issue()
      for (const options of malformed) expectNoToken(await http.request('POST', login.realm, options))
    },
  )

  test(
    'auth.token.error-no-echo',
    should('A refusal of the token service does not repeat the password', rfc(6750)('5.3'), withCredentials),
    async ({ login, http, content }) => {
      await login.issue()
      const credentials = { username: content.name('nobody'), password: content.name('echo') }
      const bodies = [json(credentials), form({ grant_type: 'password', ...credentials }), form(credentials)]
      const answers = [
        ...(await Promise.all(tokenRequests.map((way) => login.ask(way, { credentials })))),
        ...(await Promise.all(bodies.map((options) => http.request('POST', login.realm, options)))),
      ]
      for (const answer of answers) {
        const echoed = `${answer.headers.flat().join('\n')}\n${answer.text()}`.includes(credentials.password)
        expectThat(!echoed, 'an answer without the password', `${answer.status} with it`)
      }
    },
  )
})

/** The claims of an anonymous token; none where the answer has no token that can be read. */
const payloadOf = (answer: Answer) => claimsOf(tokenOf(answer) ?? '').payload
