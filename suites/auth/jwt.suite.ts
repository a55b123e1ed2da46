import { jwtVerify } from 'jose/jwt/verify'
import { importSPKI } from 'jose/key/import'
import { describe } from 'vitest'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { distributionDocs, rfc, theService } from '../specifications.ts'
import { accessOf, claimsOf, isObject, readToken } from './json-web-token.ts'
import { test } from './login.ts'
import { serverTime, skewSeconds } from './server-time.ts'

const tokens = theService('Tokens', '#tokens')
const gettingABearerToken = distributionDocs('auth/jwt')('Getting a Bearer Token', '#getting-a-bearer-token')
const fields = distributionDocs('auth/token')('Token Response Fields', '#token-response-fields')
const withCredentials = { needs: ['credentials'] } as const
const shortestSeconds = 60
/** Shorter ones would be found by accident. */
const shortestSecret = 6
const longestSeconds = 24 * 3600
/** Unix seconds until the year 5138; milliseconds are beyond it. */
const latestSeconds = 1e11

const shown = (value: unknown) => JSON.stringify(value) ?? 'none'

describe('The JSON Web Token', () => {
  test(
    'auth.jwt.compact',
    must('The token is three segments in base64url without padding', tokens, withCredentials),
    async ({ login, repository }) => {
      const { token } = await login.issue({ scopes: [`repository:${repository}:pull`] })
      const segments = token.split('.')
      const form = segments.map((segment) => `${segment.length} characters`).join(', ')
      const odd = segments.find((segment) => !/^[\w-]+$/.test(segment))?.match(/[^\w-]/)?.[0]
      expectThat(odd === undefined, 'A-Z a-z 0-9 - _ alone', `"${odd}"`)
      expectThat(!segments.includes(''), 'no empty segment', form)
      expectThat(readToken(token) !== undefined, 'three segments, JSON objects in the first two', form)
    },
  )

  test('auth.jwt.alg', must('The header has alg RS256', tokens, withCredentials), async ({ login }) => {
    const { header } = claimsOf((await login.issue()).token)
    expectThat(header['alg'] === 'RS256', 'alg "RS256"', shown(header['alg']))
  })

  test('auth.jwt.typ', must('The header has typ JWT', tokens, withCredentials), async ({ login }) => {
    const { header } = claimsOf((await login.issue()).token)
    expectThat(header['typ'] === 'JWT', 'typ "JWT"', shown(header['typ']))
  })

  test(
    'auth.jwt.key-hint',
    should('The header says which key signed: kid, jwk or x5c', gettingABearerToken, withCredentials),
    async ({ login }) => {
      const { header } = claimsOf((await login.issue()).token)
      const hinted = ['kid', 'jwk', 'x5c'].some((name) => header[name])
      expectThat(hinted, 'kid, jwk or x5c in the header', Object.keys(header).join(', '))
    },
  )

  test(
    'auth.jwt.signature',
    must(
      "The signature verifies with the registry's public key",
      theService('Registry authentication', '#registry-authentication'),
      {
        needs: ['credentials', 'public-key'],
      },
    ),
    async ({ login, registry }) => {
      const key = await importSPKI(registry.target.publicKey ?? '', 'RS256')
      const { token, answer } = await login.issue()
      const currentDate = new Date(serverTime(answer) * 1000)
      const failure = await jwtVerify(token, key, {
        algorithms: ['RS256'],
        currentDate,
        clockTolerance: skewSeconds,
      }).then(
        () => undefined,
        (error: Error) => error.message,
      )
      expectThat(failure === undefined, 'an RS256 signature by the key of the registry', `${failure}`)
    },
  )

  test('auth.jwt.sub', must('sub is the username', tokens, withCredentials), async ({ login, registry }) => {
    const { sub } = claimsOf((await login.issue()).token).payload
    const username = registry.target.accounts?.owner?.username
    expectThat(sub === username, `sub ${shown(username)}`, shown(sub))
  })

  test(
    'auth.jwt.iss',
    must("iss is the registry's domain", tokens, withCredentials),
    async ({ login, registry }) => {
      const { iss } = claimsOf((await login.issue()).token).payload
      const { domain } = registry.target
      const right = domain === undefined ? typeof iss === 'string' && iss !== '' : iss === domain
      expectThat(
        right,
        `iss ${domain === undefined ? 'that is a string and not empty' : shown(domain)}`,
        shown(iss),
      )
    },
  )

  test(
    'auth.jwt.aud',
    must("aud is the registry's domain", tokens, withCredentials),
    async ({ login, registry }) => {
      const { aud } = claimsOf((await login.issue()).token).payload
      const { domain } = registry.target
      const audience: readonly unknown[] = [aud].flat()
      const named = audience.length > 0 && audience.every((one) => typeof one === 'string' && one !== '')
      const right = named && (domain === undefined || audience.includes(domain))
      expectThat(
        right,
        `aud ${domain === undefined ? 'that is a string and not empty' : shown(domain)}`,
        shown(aud),
      )
    },
  )

  test(
    'auth.jwt.exp',
    must('exp is a whole number of Unix seconds, in the future and after iat', tokens, withCredentials),
    async ({ login }) => {
      const { token, answer } = await login.issue()
      const { exp, iat } = claimsOf(token).payload
      const seen = `exp ${shown(exp)}, iat ${shown(iat)}`
      expectThat(
        typeof exp === 'number' && Number.isInteger(exp) && exp < latestSeconds,
        'exp in Unix seconds',
        seen,
      )
      expectThat(exp > serverTime(answer), 'exp in the future', seen)
      expectThat(typeof iat !== 'number' || exp > iat, 'exp after iat', seen)
    },
  )

  test(
    'auth.jwt.iat',
    must('iat is a whole number of Unix seconds, and not in the future', tokens, withCredentials),
    async ({ login }) => {
      const { token, answer } = await login.issue()
      const { iat } = claimsOf(token).payload
      expectThat(Number.isInteger(iat), 'iat in Unix seconds', shown(iat))
      expectThat(Number(iat) <= serverTime(answer) + skewSeconds, 'iat that is not in the future', shown(iat))
    },
  )

  test(
    'auth.jwt.nbf',
    should('nbf, where it is there, is not after now', gettingABearerToken, withCredentials),
    async ({ login, skip }) => {
      const { token, answer } = await login.issue()
      const { nbf } = claimsOf(token).payload
      skip(nbf === undefined, 'the token has no nbf')
      const begun = typeof nbf === 'number' && nbf <= serverTime(answer) + skewSeconds
      expectThat(begun, 'nbf in Unix seconds, not in the future', shown(nbf))
    },
  )

  test(
    'auth.jwt.jti',
    should('jti, where it is there, differs from token to token', gettingABearerToken, withCredentials),
    async ({ login, skip }) => {
      const issued = [await login.issue(), await login.issue(), await login.issue()]
      const ids = issued.map(({ token }) => claimsOf(token).payload['jti'])
      skip(ids.includes(undefined), 'the tokens have no jti')
      expectThat(new Set(ids).size === ids.length, 'another jti in each token', shown(ids))
    },
  )

  test(
    'auth.jwt.lifetime',
    should('A token lives for at least 60 seconds and at most a day', fields, withCredentials),
    async ({ login }) => {
      const { exp, iat } = claimsOf((await login.issue()).token).payload
      const seconds = Number(exp) - Number(iat)
      expectThat(
        seconds >= shortestSeconds && seconds <= longestSeconds,
        'from 60 s to a day',
        `${seconds} s`,
      )
    },
  )

  test(
    'auth.jwt.no-secrets',
    should('Neither header nor claims hold a password or a private key', rfc(7519)('12'), withCredentials),
    async ({ login, registry }) => {
      const { token } = await login.issue()
      const { header, payload } = claimsOf(token)
      const text = `${token} ${JSON.stringify({ header, payload })}`
      const password = registry.target.accounts?.owner?.password ?? ''
      const encoded = ['base64', 'base64url', 'hex'] as const
      const spellings = [
        password,
        JSON.stringify(password),
        ...encoded.map((way) => Buffer.from(password).toString(way)),
      ]
      expectThat(
        !spellings.some((secret) => secret.length >= shortestSecret && text.includes(secret)),
        'no password in the token',
        'the password of owner',
      )
      expectThat(!/PRIVATE KEY/.test(text), 'no private key in the token', 'a key in PEM form')
      const { jwk } = header
      expectThat(
        !isObject(jwk) || !('d' in jwk || 'k' in jwk),
        'no private key in the header',
        'a jwk with its secret part',
      )
    },
  )
})

describe('The access of a token', () => {
  test(
    'auth.jwt.access',
    must(
      'access is an array of entries with type repository, a name, and actions among pull and push',
      tokens,
      withCredentials,
    ),
    async ({ login, repository }) => {
      const { token } = await login.issue({ scopes: [`repository:${repository}:pull,push`] })
      const { access } = claimsOf(token).payload
      expectThat(Array.isArray(access), 'an array', shown(access))
      for (const entry of access as readonly unknown[]) {
        const { type, name, actions } = isObject(entry) ? entry : {}
        expectThat(type === 'repository', 'type "repository"', shown(entry))
        expectThat(typeof name === 'string' && name !== '', 'a name', shown(entry))
        const known =
          Array.isArray(actions) && actions.every((action) => action === 'pull' || action === 'push')
        expectThat(known, 'actions: an array of "pull" and "push"', shown(entry))
      }
    },
  )

  test(
    'auth.jwt.access-name',
    must('access names the repository exactly as it was asked for', tokens, withCredentials),
    async ({ login, registry }) => {
      const name = registry.repository('a/b-1/c_d')
      const { token } = await login.issue({ scopes: [`repository:${name}:pull`] })
      const names = accessOf(claimsOf(token)).map((entry) => entry.name)
      expectThat(names.length === 1 && names[0] === name, `one entry, for ${name}`, shown(names))
    },
  )

  test(
    'auth.jwt.access-entry',
    should('No repository stands twice in access, and no action twice in an entry', tokens, withCredentials),
    async ({ login, registry }) => {
      const [one, other] = [registry.repository('one'), registry.repository('other')]
      const scopes = [
        `repository:${one}:pull`,
        `repository:${other}:pull,push`,
        `repository:${one}:push,pull`,
      ]
      const entries = accessOf(claimsOf((await login.issue({ scopes })).token))
      const names = entries.map(({ name }) => name)
      expectThat(
        names.includes(one) && names.includes(other),
        `entries for ${one} and ${other}`,
        shown(names),
      )
      expectThat(new Set(names).size === names.length, 'each repository once', shown(names))
      for (const { name, actions } of entries) {
        expectThat(new Set(actions).size === actions.length, `each action once on ${name}`, shown(actions))
      }
    },
  )
})
