import { to, withHeaders, withStatus } from '../../harness/rewrite.ts'
import {
  afterwards,
  atToken,
  basicOf,
  both,
  givingTokens,
  instead,
  interoperability,
  isAnonymous,
  readingBody,
  refusal,
  scopesOf,
  security,
  textOf,
} from './seams.faults.ts'

const challengeOf = (response: Response): Record<string, string> => {
  const challenge = response.headers.get('www-authenticate')
  return challenge === null ? {} : { 'www-authenticate': challenge }
}
const refused = (response: Response) => response.status === 401
const isWrong = (request: Request) => basicOf(request)[1] === 'assay-wrong-password'
const isUnknown = (request: Request) => basicOf(request)[0].startsWith('nobody-')
const isKnownAndWrong = (request: Request) => isWrong(request) && !isUnknown(request)
const gets = to('GET', /^\/token$/)
const posts = to('POST', /^\/token$/)

const logins = [
  interoperability(
    'auth.login.403',
    'wrong credentials are answered 403',
    ['auth.token.bad-credentials.401'],
    afterwards(atToken, (response) => (refused(response) ? withStatus(response, 403) : response)),
  ),
  interoperability(
    'auth.login.200-with-error',
    'wrong credentials are answered 200 with an error in the body',
    ['auth.token.bad-credentials.401', 'auth.token.missing-field', 'auth.token.wrong-content-type'],
    afterwards(atToken, (response) => (response.status >= 400 ? withStatus(response, 200) : response)),
    'reports wrong credentials where an answer 200 has no token',
  ),
  security(
    'auth.login.unknown-404',
    'an unknown user is answered 404, a wrong password 401',
    ['auth.token.bad-credentials.401'],
    instead(both(atToken, isUnknown), () => refusal(404, 'UNKNOWN')),
  ),
  security(
    'auth.login.unknown-told',
    'the message tells an unknown user from a wrong password',
    ['auth.token.bad-credentials.401'],
    instead(both(atToken, isUnknown), () =>
      refusal(401, 'UNAUTHORIZED', 'no such user', { 'www-authenticate': 'Basic realm="token"' }),
    ),
  ),
  security(
    'auth.login.wrong-password-taken',
    'a wrong password gives a token',
    ['auth.token.bad-credentials.no-token', 'auth.token.bad-credentials.401'],
    givingTokens((request) => isKnownAndWrong(request)),
  ),
  security(
    'auth.login.unknown-user-taken',
    'a user that nobody knows gets a token',
    ['auth.token.bad-credentials.no-token', 'auth.token.bad-credentials.401'],
    givingTokens((request) => isUnknown(request)),
  ),
  security(
    'auth.login.empty-password-taken',
    'an empty password gives a token',
    ['auth.token.bad-credentials.no-token', 'auth.token.missing-field'],
    givingTokens(
      (request, body) =>
        (basicOf(request)[0] !== '' && basicOf(request)[1] === '') ||
        /"password":""|password=(?:&|$)/.test(body),
    ),
  ),
  security(
    'auth.login.name-alone-taken',
    'a username without a password gives a token',
    ['auth.token.bad-credentials.no-token', 'auth.token.missing-field'],
    givingTokens((_, body) => /username/.test(body) && !/password/.test(body)),
  ),
  security(
    'auth.login.json-not-checked',
    'the password is not checked where it comes as JSON',
    ['auth.token.bad-credentials.no-token', 'auth.token.wrong-content-type'],
    givingTokens((_, body) => body.startsWith('{"username"')),
  ),
]

const anonymous = [
  security(
    'auth.login.refused-with-token',
    'a wrong password is answered 401, and a token comes along in the body',
    ['auth.token.bad-credentials.401'],
    afterwards(both(atToken, isWrong), (response) => {
      const errors = [{ code: 'UNAUTHORIZED', message: 'wrong username or password' }]
      const token = textOf({ header: {}, payload: { sub: 'owner', access: [] } })
      return Response.json({ errors, token }, { status: 401, headers: challengeOf(response) })
    }),
  ),
  security(
    'auth.anonymous.reads-all',
    'who names nobody gets a token for all that it asks for',
    ['auth.token.missing-credentials', 'auth.token.anonymous', 'auth.token.anonymous-public'],
    givingTokens((request, body) => isAnonymous(request) && body === ''),
  ),
  security(
    'auth.anonymous.unnamed-reads-all',
    'an anonymous token names nobody and holds what was asked for',
    ['auth.token.anonymous'],
    instead(both(gets, isAnonymous), (request) =>
      Response.json({ token: textOf({ header: {}, payload: { access: scopesOf(request) } }) }),
    ),
  ),
  interoperability(
    'auth.anonymous.fails',
    'a request without credentials makes the token service fail',
    ['auth.token.missing-credentials', 'auth.token.anonymous'],
    instead(both(gets, isAnonymous), () => refusal(500, 'UNKNOWN')),
  ),
  security(
    'auth.anonymous.named',
    'an anonymous token names the owner',
    ['auth.token.anonymous'],
    instead(both(gets, isAnonymous), () =>
      Response.json({ token: textOf({ header: {}, payload: { sub: 'owner', access: [] } }) }),
    ),
  ),
]

const bodies = [
  interoperability(
    'auth.login.null-fails',
    'a member that is null makes the token service fail',
    ['auth.token.missing-field'],
    readingBody(
      (body) => /null/.test(body),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  interoperability(
    'auth.login.missing-fails',
    'a request without a password makes the token service fail',
    ['auth.token.missing-field', 'auth.token.bad-credentials.no-token'],
    readingBody(
      (body) => /username/.test(body) && !/password/.test(body),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  security(
    'auth.login.twice-last-wins',
    'of two usernames the last one counts',
    ['auth.token.missing-field'],
    givingTokens((_, body) => /^username=.*&username=/.test(body)),
  ),
  interoperability(
    'auth.login.array-fails',
    'a body that is an array makes the token service fail',
    ['auth.token.malformed-request'],
    readingBody(
      (body) => body.startsWith('['),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  interoperability(
    'auth.login.broken-json-fails',
    'JSON that breaks off makes the token service fail',
    ['auth.token.malformed-request'],
    readingBody(
      (body) => body.endsWith('"password":'),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  interoperability(
    'auth.login.number-fails',
    'a username that is a number makes the token service fail',
    ['auth.token.malformed-request'],
    readingBody(
      (body) => /"username":1/.test(body),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  security(
    'auth.login.operators',
    'a username and a password that are query operators match every account',
    ['auth.token.malformed-request'],
    givingTokens((_, body) => body.includes('"$ne"')),
  ),
  interoperability(
    'auth.login.long-fails',
    'a username of a mebibyte makes the token service fail',
    ['auth.token.malformed-request'],
    readingBody(
      (body) => body.length > 1024 * 1024,
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  interoperability(
    'auth.login.text-fails',
    'a body labelled text/plain makes the token service fail',
    ['auth.token.wrong-content-type'],
    instead(
      both(posts, (request) => request.headers.get('content-type') === 'text/plain'),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  interoperability(
    'auth.login.unlabelled-fails',
    'a body without a Content-Type makes the token service fail',
    ['auth.token.wrong-content-type'],
    readingBody(
      (body, request) => body !== '' && !request.headers.has('content-type'),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  security(
    'auth.login.unlabelled-not-checked',
    'credentials without a Content-Type are not checked',
    ['auth.token.wrong-content-type'],
    givingTokens((request, body) => body !== '' && !request.headers.has('content-type')),
  ),
  security(
    'auth.login.echo-in-body',
    'a refusal repeats the password that was sent',
    ['auth.token.error-no-echo'],
    afterwards(
      both(atToken, (request) => basicOf(request)[1] !== ''),
      (response, request) =>
        refused(response) ? refusal(401, 'UNAUTHORIZED', `wrong password ${basicOf(request)[1]}`) : response,
    ),
  ),
  security(
    'auth.login.echo-in-header',
    'a header of the refusal repeats the password that was sent',
    ['auth.token.error-no-echo'],
    afterwards(
      both(atToken, (request) => /^echo/.test(basicOf(request)[1])),
      (response, request) => withHeaders(response, { 'x-debug-credentials': basicOf(request).join(':') }),
    ),
  ),
  security(
    'auth.login.echo-of-body',
    'a refusal repeats the body that was sent',
    ['auth.token.error-no-echo'],
    readingBody(
      (body) => body.includes('echo-'),
      (body) => refusal(401, 'UNAUTHORIZED', `cannot log in: ${body}`),
    ),
  ),
]

export const faults = [...logins, ...anonymous, ...bodies]
