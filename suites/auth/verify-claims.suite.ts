import { describe } from 'vitest'
import { must, should } from '../../harness/requirement.ts'
import { distributionDocs, rfc, theService } from '../specifications.ts'
import { occupy, readManifest } from './attempts.ts'
import { reissuer } from './forged-token.ts'
import { test as base, madeToken } from './login.ts'
import { expectDenied } from './refusals.ts'
import { expectTurnedAway } from './turned-away.ts'

const tokens = theService('Tokens', '#tokens')
const withKey = { needs: ['auth', 'credentials', 'signing-key'] } as const
const hour = 3600

/** `reissue` signs a good token anew with some claims changed; `now` is in Unix seconds. */
const test = base
  .extend('now', () => Math.floor(Date.now() / 1000))
  .extend('reissue', async ({ login, present, registry, repository }) => {
    const issued = await login.issue({ scopes: [`repository:${repository}:pull,push`] })
    const isTaken = async (token: string) =>
      (await present(madeToken(token, 'a token made with the signing key'), 'GET', '/v2/')).status === 200
    return reissuer(registry.target, issued, isTaken)
  })

describe('Claims', () => {
  test(
    'auth.verify.expired',
    must('An expired token is refused', tokens, withKey),
    async ({ reissue, present, repository, now }) => {
      for (const ago of [120, hour, 365 * 24 * hour]) {
        const token = reissue({ iat: now - ago - hour, exp: now - ago })
        await expectTurnedAway(present, madeToken(token, `a token that expired ${ago} s ago`), repository)
      }
    },
  )

  test(
    'auth.verify.not-yet-valid',
    must('A token is refused before its nbf', rfc(7519)('4.1.5'), withKey),
    async ({ reissue, present, repository, now }) => {
      const token = reissue({ nbf: now + hour, exp: now + 2 * hour })
      await expectTurnedAway(present, madeToken(token, 'a token with nbf in an hour'), repository)
    },
  )

  test(
    'auth.verify.wrong-aud',
    must('A token for another audience is refused', rfc(7519)('4.1.3'), withKey),
    async ({ reissue, present, repository }) => {
      for (const aud of ['other.example', ['other.example'], '', `https://other.example/`]) {
        const token = madeToken(reissue({ aud }), `a token with aud ${JSON.stringify(aud)}`)
        await expectTurnedAway(present, token, repository)
      }
    },
  )

  test(
    'auth.verify.wrong-iss',
    must('A token of another issuer is refused', tokens, withKey),
    async ({ reissue, present, repository }) => {
      for (const iss of ['other.example', '']) {
        await expectTurnedAway(present, madeToken(reissue({ iss }), `a token with iss "${iss}"`), repository)
      }
    },
  )

  test(
    'auth.verify.no-exp',
    should(
      'A token that never expires is refused',
      distributionDocs('auth/jwt')('Verifying the token', '#verifying-the-token'),
      withKey,
    ),
    async ({ reissue, present, repository }) => {
      await expectTurnedAway(
        present,
        madeToken(reissue({ exp: undefined }), 'a token without exp'),
        repository,
      )
    },
  )

  test(
    'auth.verify.type-checked',
    must('An access entry of another type than repository gives nothing on a repository', tokens, {
      needs: [...withKey.needs, 'push', 'private'],
    }),
    async ({ reissue, present, client, repository, content }) => {
      const { method, path, options } = readManifest(await occupy(client, repository, content))
      for (const type of ['registry', 'Repository', 'repository(plugin)', '']) {
        const access = [{ type, name: repository, actions: ['pull', 'push'] }]
        const token = madeToken(reissue({ access }), `a token with an entry of type "${type}"`)
        expectDenied(await present(token, method, path, options))
        expectDenied(await present(token, 'POST', `/v2/${repository}/blobs/uploads/`))
      }
    },
  )
})
