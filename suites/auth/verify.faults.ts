import { to } from '../../harness/rewrite.ts'
import type { JsonWebToken } from './json-web-token.ts'
import {
  accepting,
  atBase,
  both,
  instead,
  inTokenStore,
  interoperability,
  pathOf,
  queryOf,
  readingToken,
  refusal,
  refusing,
  security,
} from './seams.faults.ts'

const hour = 3600
const now = () => Math.floor(Date.now() / 1000)
const authorization = (request: Request) => request.headers.get('authorization') ?? ''
const anyone = { subject: 'owner', access: [] }

/** Takes a string that is no token, as one of the owner. */
const taking = (isTaken: (text: string) => boolean) =>
  inTokenStore(({ verify }) => ({
    verify: async (domain, text) => (await verify(domain, text)) ?? (isTaken(text) ? anyone : undefined),
  }))

const badToken = (request: Request) => /^bearer x/i.test(authorization(request))
const emptyToken = (request: Request) => /^bearer *$/i.test(authorization(request))

const noToken = [
  security(
    'auth.verify.garbage.taken',
    'any word behind Bearer is taken',
    ['auth.verify.garbage', 'auth.challenge.error-invalid-token'],
    taking((text) => text.length > 0),
  ),
  security(
    'auth.verify.garbage.three-parts',
    'whatever has two dots is taken for a token',
    ['auth.verify.garbage', 'auth.challenge.error-invalid-token'],
    taking((text) => text.split('.').length === 3),
  ),
  interoperability(
    'auth.verify.garbage.403',
    'a string that is no token is answered 403',
    ['auth.verify.garbage'],
    instead(badToken, () => refusal(403, 'DENIED')),
  ),
  interoperability(
    'auth.verify.garbage.fails',
    'a string that is no token makes the registry fail',
    ['auth.verify.garbage'],
    instead(badToken, () => refusal(500, 'UNKNOWN')),
  ),
  interoperability(
    'auth.verify.garbage.unchallenged',
    'a bad token is answered 401 without a challenge',
    ['auth.verify.garbage', 'auth.verify.catalog-not-public'],
    instead(badToken, () => refusal(401, 'UNAUTHORIZED')),
  ),
  security(
    'auth.verify.empty.taken',
    'Bearer without a token opens the base of the API',
    ['auth.verify.empty'],
    instead(both(atBase, emptyToken), () => Response.json({})),
  ),
  interoperability(
    'auth.verify.empty.fails',
    'Bearer without a token makes the registry fail',
    ['auth.verify.empty'],
    instead(emptyToken, () => refusal(500, 'UNKNOWN')),
  ),
  interoperability(
    'auth.verify.empty.400',
    'Bearer without a token is answered 400',
    ['auth.verify.empty'],
    instead(emptyToken, () => refusal(400, 'UNSUPPORTED')),
  ),
  security(
    'auth.verify.scheme.bare',
    'a token without a scheme is taken',
    ['auth.verify.scheme'],
    readingToken((request) => /^eyJ\S+$/.exec(authorization(request))?.[0]),
  ),
  security(
    'auth.verify.scheme.any',
    'a token is taken behind any word',
    ['auth.verify.scheme'],
    readingToken((request) => /^(?!bearer|basic)\w+ (\S+)$/i.exec(authorization(request))?.[1]),
  ),
  security(
    'auth.verify.scheme.password',
    'a token is taken as the password of Basic',
    ['auth.verify.scheme'],
    readingToken((request) => {
      const [, encoded = ''] = /^basic (\S+)$/i.exec(authorization(request)) ?? []
      return /:(\S+)$/.exec(Buffer.from(encoded, 'base64').toString())?.[1]
    }),
  ),
  security(
    'auth.verify.scheme.cookie',
    'a token is taken from a cookie',
    ['auth.verify.scheme'],
    readingToken((request) => /\btoken=([^;\s]+)/.exec(request.headers.get('cookie') ?? '')?.[1]),
  ),
  security(
    'auth.verify.scheme.other-header',
    'a token is taken from X-Access-Token',
    ['auth.verify.scheme'],
    readingToken((request) => request.headers.get('x-access-token') ?? undefined),
  ),
  security(
    'auth.verify.query.access-token',
    'a token is taken from the query, as access_token',
    ['auth.verify.query-token-ignored'],
    readingToken((request) => queryOf(request).get('access_token') ?? undefined),
  ),
  security(
    'auth.verify.query.token',
    'a token is taken from the query of manifests, as token',
    ['auth.verify.query-token-ignored'],
    readingToken((request) =>
      /\/manifests\//.test(pathOf(request)) ? (queryOf(request).get('token') ?? undefined) : undefined,
    ),
  ),
  security(
    'auth.verify.catalog.open',
    'the catalogue is open to who sends any token at all',
    ['auth.verify.catalog-not-public'],
    instead(both(to('GET', /\/_catalog$/), badToken), () => Response.json({ repositories: [] })),
  ),
  interoperability(
    'auth.verify.catalog.404',
    'the catalogue answers 404 to who has no token',
    ['auth.verify.catalog-not-public'],
    instead(
      both(to('GET', /\/_catalog$/), (request) => authorization(request) === ''),
      () => refusal(404, 'UNSUPPORTED'),
    ),
  ),
  interoperability(
    'auth.verify.reuse.once',
    'a token is good for one request',
    ['auth.verify.reusable'],
    refusing(usedMoreThan(1)),
    'gets a new token when it is refused, once',
  ),
  interoperability(
    'auth.verify.reuse.twenty',
    'a token is good for twenty requests',
    ['auth.verify.reusable'],
    refusing(usedMoreThan(20)),
  ),
  interoperability(
    'auth.verify.reuse.alone',
    'a token is refused while another request with it is under way',
    ['auth.verify.reusable'],
    refusing(usedSideBySide()),
  ),
]

const claimOf = (token: JsonWebToken, name: string) => token.payload[name]
const seconds = (token: JsonWebToken, name: string) => Number(claimOf(token, name))

const claims = [
  security(
    'auth.verify.exp.ignored',
    'exp is not looked at',
    ['auth.verify.expired'],
    accepting((token) => seconds(token, 'exp') < now()),
  ),
  security(
    'auth.verify.exp.leeway',
    'an expired token is taken for another hour',
    ['auth.verify.expired'],
    accepting((token) => seconds(token, 'exp') < now() && seconds(token, 'exp') > now() - hour),
  ),
  security(
    'auth.verify.exp.none',
    'a token without exp never ends',
    ['auth.verify.no-exp'],
    accepting((token) => claimOf(token, 'exp') === undefined),
  ),
  security(
    'auth.verify.nbf.ignored',
    'nbf is not looked at',
    ['auth.verify.not-yet-valid'],
    accepting((token) => seconds(token, 'nbf') > now()),
  ),
  security(
    'auth.verify.aud.ignored',
    'aud is not looked at',
    ['auth.verify.wrong-aud'],
    accepting(
      (token) => claimOf(token, 'aud') !== claimOf(token, 'iss') && claimOf(token, 'exp') !== undefined,
    ),
  ),
  security(
    'auth.verify.aud.array',
    'an audience in an array is not looked at',
    ['auth.verify.wrong-aud'],
    accepting((token) => Array.isArray(claimOf(token, 'aud'))),
  ),
  security(
    'auth.verify.aud.empty',
    'an empty aud stands for all',
    ['auth.verify.wrong-aud'],
    accepting((token) => claimOf(token, 'aud') === ''),
  ),
  security(
    'auth.verify.iss.ignored',
    'iss is not looked at',
    ['auth.verify.wrong-iss'],
    accepting((token) => claimOf(token, 'iss') === 'other.example'),
  ),
  security(
    'auth.verify.iss.empty',
    'an empty iss stands for us',
    ['auth.verify.wrong-iss'],
    accepting((token) => claimOf(token, 'iss') === ''),
  ),
]

function usedMoreThan(most: number) {
  const uses = new Map<string, number>()
  return (text: string) => {
    uses.set(text, (uses.get(text) ?? 0) + 1)
    return (uses.get(text) ?? 0) > most
  }
}

function usedSideBySide() {
  const open = new Set<string>()
  return async (text: string) => {
    if (open.has(text)) return true
    open.add(text)
    await new Promise((resolve) => setTimeout(resolve, 20))
    open.delete(text)
    return false
  }
}

export const faults = [...noToken, ...claims]
