import { type Variation, withholding } from '../../harness/fault.ts'
import { to, withHeaders, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import {
  afterwards,
  atBase,
  atToken,
  both,
  challenging,
  instead,
  isAnonymous,
  onRepository,
  refusal,
  tokenAnswers,
  withParameter,
} from './seams.faults.ts'

const variation = (id: string, what: string, seams: Seams): Variation<Seams> => ({ id, what, seams })

const parametersOf = (challenge: string) =>
  [...challenge.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(([parameter]) => parameter)

const isRefused = (response: Response) => response.status === 401
const once = () => {
  let met = false
  return () => {
    const first = !met
    met = true
    return first
  }
}

export const variations = [
  variation(
    'auth.other-order',
    'the parameters of a challenge come in another order, with spaces, and with one that nobody knows',
    challenging(
      (challenge) => `Bearer  ${[...parametersOf(challenge).reverse(), 'hint="none"'].join(' , ')}`,
    ),
  ),
  variation(
    'auth.basic-beside',
    'Basic and Negotiate are offered beside Bearer',
    challenging((challenge) => `Basic realm="registry", charset="UTF-8", Negotiate YII=, ${challenge}`),
  ),
  variation(
    'auth.scheme-lower-case',
    'the scheme of a challenge is written in small letters',
    challenging((challenge) => challenge.replace('Bearer', 'bearer')),
  ),
  variation(
    'auth.error-description',
    'a refused token comes with error_description and error_uri',
    challenging(
      (challenge) =>
        `${challenge},error_description="a \\"quoted\\" word",error_uri="https://registry.example/e"`,
    ),
  ),
  variation(
    'auth.realm-with-query',
    'the realm has a query of its own',
    challenging((challenge) => challenge.replace(/\/token"/, '/token?tenant=one"')),
  ),
  variation(
    'auth.scope-on-base',
    'the challenge of GET /v2/ names a scope as an example',
    challenging((challenge) => withParameter(challenge, 'scope', '"repository:user/image:pull"'), atBase),
  ),
  variation(
    'auth.actions-in-other-order',
    'a scope asks for push,pull',
    challenging((challenge) => challenge.replace('pull,push', 'push,pull')),
  ),
  withholding(
    withholding(
      variation(
        'auth.text-bodies',
        'refusals have plain text as their body',
        afterwards(both(onRepository, isAnonymous), (response) =>
          isRefused(response)
            ? new Response('log in first\n', { status: 401, headers: withText(response) })
            : response,
        ),
      ),
    ),
  ),
  variation(
    'auth.denied-hidden',
    'what an account may not see is answered 404',
    afterwards(onRepository, (response) => (response.status === 403 ? withStatus(response, 404) : response)),
  ),
  variation(
    'auth.more-members',
    'the answer with a token has members that nobody asked for',
    tokenAnswers((body) => ({ token_type: 'Bearer', not_before_policy: 0, ...body, session_state: 'x' })),
  ),
  variation(
    'auth.token-alone',
    'the answer has the token and nothing else',
    tokenAnswers(({ token }) => ({ token })),
  ),
  variation(
    'auth.json-only',
    'credentials are taken as JSON alone',
    instead(
      both(atToken, (request) => !/json/.test(request.headers.get('content-type') ?? '')),
      () => refusal(401, 'UNAUTHORIZED'),
    ),
  ),
  variation(
    'auth.charset',
    'the answer with a token names its charset, and no-store among other directives',
    afterwards(atToken, (response) =>
      withHeaders(response, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-cache, no-store, max-age=0',
        pragma: 'no-cache',
      }),
    ),
  ),
  variation('auth.busy-once', 'the token service is busy once: 429 with Retry-After', busyOnce()),
  variation(
    'auth.wrong-credentials-400',
    'wrong credentials are answered 400 with invalid_grant, as OAuth 2 has it',
    afterwards(both(to('POST', /^\/token$/), isAnonymous), (response) =>
      isRefused(response) ? Response.json({ error: 'invalid_grant' }, { status: 400 }) : response,
    ),
  ),
]

function withText({ headers }: Response): Headers {
  const plain = new Headers(headers)
  plain.set('content-type', 'text/plain; charset=utf-8')
  plain.delete('content-length')
  return plain
}

function busyOnce(): Seams {
  const isFirst = once()
  return instead(
    (request) => atToken(request) && isFirst(),
    () => refusal(429, 'TOOMANYREQUESTS', 'busy', { 'retry-after': '1' }),
  )
}
