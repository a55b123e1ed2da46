import { describe } from 'vitest'
import { expectStatus } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { need } from '../push.ts'
import { rfc, theService } from '../specifications.ts'
import {
  foreignKey,
  plausible,
  publicKeySpellings,
  signedWithKey,
  signedWithSecret,
  unsigned,
  withHeader,
  withPayload,
} from './forged-token.ts'
import { claimsOf } from './json-web-token.ts'
import { madeToken, test } from './login.ts'
import { selfSigned } from './self-signed.ts'
import { expectTurnedAway, needAccess } from './turned-away.ts'

const authentication = theService('Registry authentication', '#registry-authentication')
const tokens = theService('Tokens', '#tokens')
const withToken = { needs: ['auth', 'credentials'] } as const
const wellKnownSecrets = ['', 'secret', 'changeme', 'your-256-bit-secret', 'registry', '0'.repeat(32)]

describe('Signatures', () => {
  test(
    'auth.verify.tampered-payload',
    must('A token whose claims were changed after it was signed is refused', authentication, withToken),
    async ({ login, present, repository }) => {
      const issued = await login.issue({ scopes: [`repository:${repository}:pull`] })
      need('GET /v2/ with the token unchanged', await present(issued, 'GET', '/v2/'), 200)
      const { token } = issued
      const [header, , signature] = token.split('.')
      const access = [{ type: 'repository', name: repository, actions: ['pull', 'push'] }]
      const [, payload] = unsigned(withPayload(claimsOf(token), { access }), 'RS256').split('.')
      const changed = madeToken(
        `${header}.${payload}.${signature}`,
        'a pull token with push added, its signature kept',
      )
      await expectTurnedAway(present, changed, repository)
      expectStatus(await present(changed, 'POST', `/v2/${repository}/blobs/uploads/`), 401)
    },
  )

  test(
    'auth.verify.tampered-signature',
    must('A token whose signature was changed or taken away is refused', authentication, withToken),
    async ({ login, present, repository }) => {
      const issued = await login.issue({ scopes: [`repository:${repository}:pull`] })
      need('GET /v2/ with the token unchanged', await present(issued, 'GET', '/v2/'), 200)
      const { token } = issued
      const [header, payload, signature = ''] = token.split('.')
      const middle = Math.floor(signature.length / 2)
      const flipped = `${signature.slice(0, middle)}${signature[middle] === 'A' ? 'B' : 'A'}${signature.slice(middle + 1)}`
      const other = (await login.issue({ scopes: [`repository:${repository}:push`] })).token.split('.')[2]
      for (const [end, note] of [
        [`.${flipped}`, 'a character of its signature changed'],
        ['.', 'its signature empty'],
        ['', 'its signature taken away'],
        [`.${other}`, 'the signature of another token'],
      ] as const) {
        await expectTurnedAway(
          present,
          madeToken(`${header}.${payload}${end}`, `a token with ${note}`),
          repository,
        )
      }
    },
  )

  test(
    'auth.verify.alg-none',
    must('An unsigned token (alg none, in any spelling) is refused', tokens, { needs: ['auth'] }),
    async ({ registry, present, repository, client, run }) => {
      await needAccess(client, run)
      const claims = await plausible(registry, [`repository:${repository}:pull,push`])
      for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
        const forged = madeToken(unsigned(claims, alg), `a token with alg "${alg}" and no signature`)
        await expectTurnedAway(present, forged, repository)
      }
    },
  )

  test(
    'auth.verify.alg-hs256',
    must('A token signed with a shared secret is refused, also where the secret is the public key', tokens, {
      needs: ['auth'],
    }),
    async ({ registry, present, repository, client, run }) => {
      await needAccess(client, run)
      const { publicKey } = registry.target
      const claims = await plausible(registry, [`repository:${repository}:pull,push`])
      for (const secret of [...wellKnownSecrets, ...(publicKey ? publicKeySpellings(publicKey) : [])]) {
        const what = wellKnownSecrets.some((known) => known === secret) ? `"${secret}"` : 'the public key'
        const forged = madeToken(signedWithSecret(claims, secret), `an HS256 token keyed with ${what}`)
        await expectTurnedAway(present, forged, repository)
      }
    },
  )

  test(
    'auth.verify.wrong-key',
    must(
      'A token signed with a foreign key is refused, also where its header brings that key along',
      tokens,
      {
        needs: ['auth'],
      },
    ),
    async ({ registry, present, repository, client, run }) => {
      await needAccess(client, run)
      const { privateKey, publicKey } = await foreignKey()
      const claims = await plausible(registry, [`repository:${repository}:pull,push`])
      const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
      const headers = {
        'the kid of the real key': {},
        'no kid': { kid: undefined },
        'its key as jwk': { kid: undefined, jwk },
        'its key as jwk with a kid': { kid: 'foreign', jwk: { ...jwk, kid: 'foreign' } },
        'a jku': { kid: 'foreign', jku: 'http://127.0.0.1:9/keys.json' },
        'its certificate as x5c': { kid: undefined, x5c: [selfSigned(privateKey, publicKey)] },
      }
      for (const [what, header] of Object.entries(headers)) {
        const forged = signedWithKey(withHeader(claims, header), privateKey)
        await expectTurnedAway(
          present,
          madeToken(forged, `a token of a foreign key, with ${what}`),
          repository,
        )
      }
    },
  )

  test(
    'auth.verify.base64-malleability',
    should(
      'A token in another spelling (padding, white space, standard base64) is refused',
      rfc(7515)('2'),
      withToken,
    ),
    async ({ login, present, skip }) => {
      const issued = await login.issue()
      const { token } = issued
      need('GET /v2/ with the token', await present(issued, 'GET', '/v2/'), 200)
      skip(!/[-_]/.test(token), 'the token has neither - nor _')
      const spellings = {
        'padding at its end': `${token}=`,
        'padding after each segment': token
          .split('.')
          .map((segment) => `${segment}==`)
          .join('.'),
        'standard base64': token.replaceAll('-', '+').replaceAll('_', '/'),
        'a space in it': token.replace('.', '. '),
      }
      for (const [what, spelling] of Object.entries(spellings)) {
        const answer = await present(madeToken(spelling, `a valid token with ${what}`), 'GET', '/v2/')
        expectStatus(answer, 400, 401)
      }
    },
  )

  test(
    'auth.verify.odd-header',
    should('A token with an odd header, odd claims or a great size is refused with 4xx', rfc(9110)('15.6'), {
      needs: ['auth'],
    }),
    async ({ registry, present, client, run }) => {
      await needAccess(client, run)
      const { privateKey } = await foreignKey()
      const claims = await plausible(registry, [])
      const kids = ['../../../../dev/null', "' OR '1'='1", 'x\u0000y', 7, null, { kid: [] }]
      const nested = Buffer.from(`${'['.repeat(2000)}${']'.repeat(2000)}`).toString('base64url')
      const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]).toString('base64url')
      const [header] = unsigned(claims, 'RS256').split('.')
      const odd = [
        ...kids.map((kid) => signedWithKey(withHeader(claims, { kid }), privateKey)),
        signedWithKey(withHeader(claims, { crit: ['assay'], assay: true }), privateKey),
        `${nested}.${nested}.c2ln`,
        `${header}.${bytes}.c2ln`,
        `${bytes}.${bytes}.c2ln`,
        `${Buffer.from('null').toString('base64url')}.${Buffer.from('[]').toString('base64url')}.c2ln`,
      ]
      for (const token of odd)
        expectStatus(
          await present(madeToken(token, 'a token with an odd header or odd claims'), 'GET', '/v2/'),
          400,
          401,
        )
      const large = signedWithKey(withPayload(claims, { padding: 'x'.repeat(48 * 1024) }), privateKey)
      expectStatus(
        await present(madeToken(large, 'a token of 64 KiB'), 'GET', '/v2/', { fresh: true }),
        400,
        401,
        413,
        431,
      )
    },
  )
})
