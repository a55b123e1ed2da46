import { answering, to, withHeaders, withStatus } from '../../harness/rewrite.ts'
import {
  afterwards,
  atBase,
  atToken,
  both,
  cosmetic,
  instead,
  inTokenStore,
  interoperability,
  queryOf,
  refusal,
  reissuing,
  scopesOf,
  security,
  tokenAnswers,
  withClaims,
} from './seams.faults.ts'

const posts = to('POST', /^\/token$/)
const gets = to('GET', /^\/token$/)
const issued = (response: Response) => response.status === 200
const second = 1000

/** The claim of the token in an answer. */
const secondsOf = (body: Readonly<Record<string, unknown>>) => Date.parse(String(body['issued_at'])) / second

const requests = [
  interoperability(
    'auth.token.post.201',
    'POST for a token answers 201',
    ['auth.token.post.200'],
    afterwards(posts, (response) => (issued(response) ? withStatus(response, 201) : response)),
    'takes any 2xx of a token service that has a token',
  ),
  interoperability(
    'auth.token.post.405',
    'only GET gives tokens',
    ['auth.token.post.200'],
    instead(posts, () => refusal(405, 'UNSUPPORTED')),
  ),
  interoperability(
    'auth.token.post.array',
    'the answer is an array',
    ['auth.token.post.200'],
    tokenAnswers((body) => [body], posts),
  ),
  interoperability(
    'auth.token.post.bare',
    'the answer is the token alone, as text',
    ['auth.token.post.200'],
    afterwards(posts, async (response) =>
      issued(response) ? new Response(String((await response.json()).token)) : response,
    ),
  ),
  interoperability(
    'auth.token.field.access-token-only',
    'the token comes only as access_token',
    ['auth.token.post.field-token'],
    tokenAnswers(({ token: _, ...body }) => body),
    'takes access_token where there is no token',
  ),
  interoperability(
    'auth.token.field.object',
    'token is an object',
    ['auth.token.post.field-token'],
    tokenAnswers((body) => ({ ...body, token: { value: body['token'] } })),
  ),
  interoperability(
    'auth.token.field.empty',
    'token is empty, and the token stands in access_token',
    ['auth.token.post.field-token', 'auth.token.access-token-equal'],
    tokenAnswers((body) => ({ ...body, token: '' })),
  ),
  interoperability(
    'auth.token.field.two',
    'token and access_token are two different tokens',
    ['auth.token.access-token-equal'],
    tokenAnswers((body) => ({ ...body, access_token: `${body['access_token']}x` })),
    'takes token, and keeps to it',
  ),
  interoperability(
    'auth.token.get.405',
    'GET gives no token',
    ['auth.token.get'],
    instead(gets, () => refusal(405, 'UNSUPPORTED')),
    'posts its credentials where GET is refused with 405',
  ),
  interoperability(
    'auth.token.get.redirect',
    'GET leads to a page to log in',
    ['auth.token.get'],
    instead(gets, () => new Response(null, { status: 302, headers: { location: '/login' } })),
  ),
  interoperability(
    'auth.token.get.without-token',
    'GET answers 200 and says when a token would expire, without one',
    ['auth.token.get'],
    tokenAnswers(({ expires_in }) => ({ expires_in }), gets),
  ),
  cosmetic(
    'auth.token.content-type.text',
    'the answer with a token is labelled text/plain',
    ['auth.token.content-type'],
    afterwards(atToken, (response) => withHeaders(response, { 'content-type': 'text/plain' })),
  ),
  cosmetic(
    'auth.token.content-type.jwt',
    'the answer with a token is labelled application/jwt',
    ['auth.token.content-type'],
    afterwards(atToken, (response) => withHeaders(response, { 'content-type': 'application/jwt' })),
  ),
  security(
    'auth.token.cache.none',
    'the answer with a token says nothing to caches',
    ['auth.token.no-store'],
    afterwards(atToken, (response) => withHeaders(response, { 'cache-control': null })),
  ),
  security(
    'auth.token.cache.public',
    'caches may keep a token for five minutes',
    ['auth.token.no-store'],
    afterwards(atToken, (response) => withHeaders(response, { 'cache-control': 'public, max-age=300' })),
  ),
]

const times = [
  interoperability(
    'auth.token.expires-in.text',
    'expires_in is a string',
    ['auth.token.expires-in'],
    tokenAnswers((body) => ({ ...body, expires_in: String(body['expires_in']) })),
  ),
  interoperability(
    'auth.token.expires-in.moment',
    'expires_in is the moment of expiry, not a duration',
    ['auth.token.expires-in', 'auth.token.expires-in-true'],
    tokenAnswers((body) => ({ ...body, expires_in: secondsOf(body) + Number(body['expires_in']) })),
  ),
  interoperability(
    'auth.token.expires-in.short',
    'expires_in is 30 seconds',
    ['auth.token.expires-in', 'auth.token.expires-in-true'],
    tokenAnswers((body) => ({ ...body, expires_in: 30 })),
  ),
  interoperability(
    'auth.token.expires-in.unsaid',
    'a token of ten seconds comes without expires_in, so that clients count on sixty',
    ['auth.token.expires-in'],
    {
      ...withClaims(({ iat }) => ({ exp: Number(iat) + 10 })),
      registry: (next) =>
        tokenAnswers(({ expires_in: _, ...body }) => body).registry?.(
          withClaims(({ iat }) => ({ exp: Number(iat) + 10 })).registry?.(next) ?? next,
        ) ?? next,
    },
  ),
  interoperability(
    'auth.token.expires-in.milliseconds',
    'expires_in is in milliseconds',
    ['auth.token.expires-in-true'],
    tokenAnswers((body) => ({ ...body, expires_in: Number(body['expires_in']) * second })),
    'gets a new token when it is refused, whatever expires_in said',
  ),
  interoperability(
    'auth.token.expires-in.longer',
    'expires_in is twice the life of the token',
    ['auth.token.expires-in-true'],
    tokenAnswers((body) => ({ ...body, expires_in: Number(body['expires_in']) * 2 })),
  ),
  interoperability(
    'auth.token.issued-at.clock-ahead',
    'the clock of the token service is an hour ahead: iat and issued_at agree on it',
    ['auth.token.issued-at', 'auth.jwt.iat'],
    reissuing(
      ({ header, payload }) => ({ header, payload: { ...payload, iat: Number(payload['iat']) + 3600 } }),
      () => true,
      (body) => ({ ...body, issued_at: new Date((secondsOf(body) + 3600) * second).toISOString() }),
    ),
  ),
  interoperability(
    'auth.token.issued-at.number',
    'issued_at is a number of seconds',
    ['auth.token.issued-at'],
    tokenAnswers((body) => ({ ...body, issued_at: secondsOf(body) })),
  ),
  interoperability(
    'auth.token.issued-at.no-zone',
    'issued_at has no zone',
    ['auth.token.issued-at'],
    tokenAnswers((body) => ({ ...body, issued_at: String(body['issued_at']).replace(/(?:\.\d+)?Z$/, '') })),
  ),
  interoperability(
    'auth.token.issued-at.local',
    'issued_at is local time that is labelled UTC, hours behind',
    ['auth.token.issued-at'],
    tokenAnswers((body) => ({
      ...body,
      issued_at: new Date((secondsOf(body) - 5 * 3600) * second).toISOString(),
    })),
  ),
  interoperability(
    'auth.token.issued-at.future',
    'issued_at is an hour ahead',
    ['auth.token.issued-at'],
    tokenAnswers((body) => ({
      ...body,
      issued_at: new Date((secondsOf(body) + 3600) * second).toISOString(),
    })),
  ),
]

/** Of all stacks in a process: no two make the same token. */
const seenTokens = new Set<string>()

const use = [
  interoperability(
    'auth.token.usable.not-at-once',
    'GET /v2/ refuses a token that it sees for the first time',
    ['auth.token.usable'],
    instead(
      (request) => {
        const token = request.headers.get('authorization') ?? ''
        return (
          atBase(request) && token !== '' && !seenTokens.has(token) && seenTokens.add(token) !== undefined
        )
      },
      () => refusal(401, 'UNAUTHORIZED'),
    ),
    'tries a second time with a new token, then says so',
  ),
  interoperability(
    'auth.token.usable.base-refused',
    'GET /v2/ refuses tokens that name a repository',
    ['auth.token.usable'],
    {
      registry: answering(
        both(to('GET', /^\/v2\/$/), (request) => request.headers.has('authorization')),
        () => refusal(401, 'UNAUTHORIZED'),
      ),
    },
  ),
  interoperability(
    'auth.token.repeatable.one-session',
    'a second token of an account ends the first',
    ['auth.token.repeatable'],
    newestOnly(),
  ),
  security(
    'auth.token.distinct.cached',
    'the token service answers one account with the token of another, from a cache by scope',
    ['auth.token.distinct-users'],
    cachedByScope(),
    'compares nothing: it cannot tell, which is what makes this dangerous',
  ),
  interoperability(
    'auth.token.service.other-fails',
    'a service that nobody knows makes the token service fail',
    ['auth.token.service-mismatch'],
    instead(
      both(atToken, (request) => queryOf(request).get('service') === 'other.example'),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  security(
    'auth.token.service.not-checked',
    'tokens are made out to any service that is asked for, and the registry takes them all',
    ['auth.token.service-mismatch'],
    withClaims(
      (_, request) => ({ aud: queryOf(request).get('service') }),
      (request) => queryOf(request).has('service'),
    ),
  ),
  security(
    'auth.token.scope.as-asked',
    'a token holds whatever was asked for',
    [
      'auth.token.scope-intersection',
      'auth.token.subset-not-error',
      'auth.token.scope-unknown',
      'auth.verify.stranger',
    ],
    withClaims((_, request) => ({ access: scopesOf(request) })),
  ),
  security(
    'auth.token.scope.never-checked',
    'the registry takes a token for any account as one of the owner',
    ['auth.token.distinct-users'],
    reissuing(({ header, payload }) => ({ header, payload: { ...payload, sub: 'owner' } })),
  ),
]

function newestOnly() {
  const newest = new Map<string, string>()
  return inTokenStore(({ issue, verify }) => ({
    async issue(domain, claims) {
      const made = await issue(domain, claims)
      newest.set(claims.subject, made.token)
      return made
    },
    async verify(domain, token) {
      const claims = await verify(domain, token)
      return claims && newest.get(claims.subject) === token ? claims : undefined
    },
  }))
}

function cachedByScope() {
  const kept = new Map<string, Readonly<Record<string, unknown>>>()
  return tokenAnswers((body, request) => {
    const key = queryOf(request).toString()
    const answer = kept.get(key) ?? body
    kept.set(key, answer)
    return answer
  })
}

export const faults = [...requests, ...times, ...use]
