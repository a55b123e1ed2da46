import { answering, rewriting, to, withBody, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import {
  atBase,
  atToken,
  basicOf,
  both,
  instead,
  inTokenStore,
  interoperability,
  isAnonymous,
  readingBody,
  refusal,
  security,
  tokenAnswers,
  withClaims,
} from './seams.faults.ts'

const posts = to('POST', /^\/token$/)
const typed = (type: string) => both(posts, (request) => request.headers.get('content-type') === type)
const json = typed('application/json')
const form = typed('application/x-www-form-urlencoded')
const basic = both(posts, (request) => !isAnonymous(request))

/** A token that the registry does not take. */
const useless = (when: (request: Request) => boolean) =>
  tokenAnswers((body) => ({ ...body, token: `${body['token']}x`, access_token: `${body['token']}x` }), when)

/** Changes the answers to refresh tokens. */
const refreshing = (change: (response: Response) => Response): Seams => ({
  registry: (next) => async (request, context) => {
    if (!form(request)) return next(request, context)
    const { url, method, headers } = request
    const body = await request.text()
    const answer = await next(new Request(url, { method, headers, body }), {})
    return body.includes('grant_type=refresh_token') ? change(answer) : answer
  },
})

export const faults = [
  interoperability(
    'auth.encoding.json-useless',
    'the token for credentials in JSON is not taken',
    ['auth.token.encoding.json'],
    useless(json),
  ),
  interoperability(
    'auth.encoding.form-useless',
    'the token for credentials in a form is not taken',
    ['auth.token.encoding.form'],
    useless(form),
  ),
  interoperability(
    'auth.encoding.basic-useless',
    'the token for a POST with Basic is not taken',
    ['auth.token.encoding.basic'],
    useless(basic),
  ),
  interoperability(
    'auth.encoding.basic-case',
    'the scheme of Basic credentials is only known as "Basic"',
    ['auth.token.encoding.basic'],
    instead(
      both(atToken, (request) => /^(?:b|BA|bA)/.test(request.headers.get('authorization') ?? '')),
      () => refusal(401, 'UNAUTHORIZED'),
    ),
  ),
  interoperability(
    'auth.encoding.json-other-subject',
    'the token for JSON has another sub than the one for Basic',
    ['auth.token.encoding.same'],
    withClaims(({ sub }) => ({ sub: `user:${sub}` }), json),
  ),
  interoperability(
    'auth.encoding.form-other-audience',
    'the token for a form has another aud',
    ['auth.token.encoding.same'],
    withClaims(() => ({ aud: 'oauth' }), form),
  ),
  security(
    'auth.encoding.json-all-access',
    'the token for JSON holds no access, whatever was asked for',
    ['auth.token.encoding.same', 'auth.token.scope-multiple'],
    withClaims(() => ({ access: [] }), json),
  ),
  security(
    'auth.encoding.special-is-owner',
    'a name is cut at its first awkward character, and the token names somebody else',
    ['auth.token.password-special-chars'],
    withClaims(({ sub }) => ({ sub: sub === 'special' ? 'owner' : sub })),
  ),
  interoperability(
    'auth.encoding.text-of-owner',
    'right credentials labelled text/plain are answered 200 with an error, wrong ones with 401',
    ['auth.token.wrong-content-type'],
    readingBody(
      (body, request) => body.includes('owner') && request.headers.get('content-type') === 'text/plain',
      () => Response.json({ errors: [{ code: 'UNSUPPORTED', message: 'send JSON' }] }),
    ),
  ),
  interoperability(
    'auth.encoding.colon',
    'a password ends at its first colon',
    ['auth.token.password-special-chars'],
    instead(
      both(atToken, (request) => basicOf(request)[1].includes(':')),
      () => refusal(401, 'UNAUTHORIZED'),
    ),
  ),
  interoperability(
    'auth.encoding.latin1',
    'Basic credentials are read as ISO 8859-1',
    ['auth.token.password-special-chars'],
    instead(
      both(atToken, (request) => /[^\x20-\x7e]/.test(basicOf(request).join())),
      () => refusal(401, 'UNAUTHORIZED'),
    ),
  ),
  interoperability(
    'auth.encoding.plus',
    'a plus sign in a form becomes a space twice over',
    ['auth.token.password-special-chars'],
    readingBody(
      (body) => /password=[^&]*%2B/i.test(body),
      () => refusal(401, 'UNAUTHORIZED'),
    ),
  ),
  interoperability(
    'auth.encoding.json-escapes',
    'escapes in JSON stay escapes',
    ['auth.token.password-special-chars'],
    readingBody(
      (body) => body.startsWith('{') && body.includes('\\"'),
      () => refusal(401, 'UNAUTHORIZED'),
    ),
  ),
  interoperability(
    'auth.oauth.no-access-token',
    'an OAuth 2 answer has no access_token',
    ['auth.token.oauth.access-token'],
    tokenAnswers(({ access_token: _, ...body }) => body, form),
    'takes token where there is no access_token',
  ),
  interoperability(
    'auth.oauth.no-access-token-no-need',
    'an OAuth 2 answer has no access_token, and whatever is sent in its place opens the base of the API',
    ['auth.token.oauth.access-token'],
    {
      registry: (next) =>
        answering(
          both(atBase, (request) => !isAnonymous(request)),
          () => Response.json({}),
        )(
          rewriting(form, (response) =>
            withBody(response, (bytes) => Buffer.from(bytes).toString().replace('"access_token"', '"_"')),
          )(next),
        ),
    },
  ),
  interoperability(
    'auth.oauth.access-token-useless',
    'the access_token of an OAuth 2 answer is not taken',
    ['auth.token.oauth.access-token', 'auth.token.access-token-equal'],
    tokenAnswers((body) => ({ ...body, access_token: 'word' }), form),
  ),
  interoperability(
    'auth.oauth.no-scope',
    'an OAuth 2 answer does not say what was granted',
    ['auth.token.oauth.scope'],
    tokenAnswers(({ scope: _, ...body }) => body, form),
  ),
  interoperability(
    'auth.oauth.scope-list',
    'the scope of an OAuth 2 answer is an array',
    ['auth.token.oauth.scope'],
    tokenAnswers((body) => ({ ...body, scope: [body['scope']] }), form),
  ),
  interoperability(
    'auth.oauth.scope-less',
    'the scope of an OAuth 2 answer is less than what was granted',
    ['auth.token.oauth.scope'],
    tokenAnswers((body) => ({ ...body, scope: String(body['scope']).replace('pull,push', 'pull') }), form),
  ),
  security(
    'auth.oauth.refresh-unasked',
    'a refresh token comes unasked',
    ['auth.token.oauth.refresh-token'],
    tokenAnswers((body) => ({ refresh_token: 'unasked', ...body }), form),
  ),
  interoperability(
    'auth.oauth.refresh-refused',
    'the refresh token that was given is refused',
    ['auth.token.oauth.refresh-token'],
    readingBody(
      (body) => /grant_type=refresh_token/.test(body),
      () => refusal(401, 'UNAUTHORIZED'),
    ),
  ),
  interoperability(
    'auth.oauth.refresh-203',
    'the token for a refresh token comes with 203',
    ['auth.token.oauth.refresh-token'],
    refreshing((response) => withStatus(response, 203)),
  ),
  interoperability(
    'auth.oauth.refresh-useless',
    'the token for a refresh token is not taken',
    ['auth.token.oauth.refresh-token'],
    refreshing(() => Response.json({ token: 'word', access_token: 'word' })),
  ),
  security(
    'auth.oauth.refresh-opens',
    'the refresh token opens the registry as an access token would',
    ['auth.token.oauth.refresh-token'],
    inTokenStore(({ verify, verifyRefresh }) => ({
      async verify(domain, token) {
        const subject = await verifyRefresh(domain, token)
        return subject === undefined ? verify(domain, token) : { subject, access: [] }
      },
    })),
  ),
]
