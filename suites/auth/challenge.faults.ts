import { to, withHeaders, withStatus } from '../../harness/rewrite.ts'
import {
  afterwards,
  atBase,
  both,
  challenging,
  cosmetic,
  holds,
  instead,
  interoperability,
  isAnonymous,
  onRepository,
  refusal,
  repositoryOf,
  withParameter,
} from './seams.faults.ts'

const onUploads = to('POST', /\/blobs\/uploads\/$/)
const heads = to('HEAD', /^\/v2\/.+\/(?:manifests|blobs)\//)
const isWrite = (request: Request) => !['GET', 'HEAD'].includes(request.method)
const refused = (status: number) => (response: Response) => response.status === status
const isUnauthorized = refused(401)

const realmOf = (change: (realm: string) => string) => (challenge: string) =>
  challenge.replace(/realm="([^"]*)"/, (_, realm: string) => change(realm))

const scopeOf = (request: Request, actions: string, name = repositoryOf(request)) =>
  `"repository:${name}:${actions}"`

export const faults = [
  // Whether a request is refused
  interoperability(
    'auth.challenge.base-open',
    'GET /v2/ answers 200 to everyone, while everything else wants a token',
    ['auth.challenge.401'],
    instead(both(atBase, isAnonymous), () => Response.json({})),
    'tries the request that it came for, and answers the challenge that this one meets',
  ),
  interoperability(
    'auth.challenge.forbidden',
    'a request without a token is answered 403 instead of 401',
    ['auth.challenge.401', 'auth.flow.pull', 'auth.flow.push'],
    afterwards(both(onRepository, isAnonymous), (response) =>
      isUnauthorized(response) ? withStatus(response, 403) : response,
    ),
    'reports that access is denied, and does not try passwords',
  ),
  interoperability(
    'auth.challenge.hidden',
    'a request without a token is answered 404, as if nothing were there',
    ['auth.challenge.401', 'auth.flow.pull'],
    instead(both(onRepository, isAnonymous), () => refusal(404, 'NAME_UNKNOWN')),
  ),
  interoperability(
    'auth.challenge.base-forbidden',
    'GET /v2/ answers 403 to who has no token',
    ['auth.challenge.401'],
    instead(both(atBase, isAnonymous), () => refusal(403, 'DENIED')),
  ),

  // What the challenge is
  interoperability(
    'auth.challenge.header.none-on-head',
    'the 401 to HEAD has no WWW-Authenticate',
    ['auth.challenge.header', 'auth.challenge.bearer', 'auth.challenge.head'],
    challenging(() => null, heads),
  ),
  interoperability(
    'auth.challenge.header.none-on-writes',
    'the 401 to PATCH, PUT and DELETE has no WWW-Authenticate',
    ['auth.challenge.header', 'auth.challenge.bearer'],
    challenging(() => null, isWrite),
  ),
  interoperability(
    'auth.challenge.header.empty',
    'WWW-Authenticate is there and empty',
    ['auth.challenge.header', 'auth.challenge.bearer'],
    challenging(() => '', onRepository),
  ),
  interoperability(
    'auth.challenge.bearer.basic-only',
    'only Basic is offered',
    ['auth.challenge.bearer'],
    challenging(() => 'Basic realm="registry"'),
    'sends its password as Basic only over https',
  ),
  interoperability(
    'auth.challenge.bearer.basic-on-uploads',
    'uploads are challenged with Basic, everything else with Bearer',
    ['auth.challenge.bearer', 'auth.flow.push'],
    challenging(() => 'Basic realm="registry"', onUploads),
  ),
  interoperability(
    'auth.challenge.bearer.other-word',
    'the scheme is called Token',
    ['auth.challenge.bearer'],
    challenging((challenge) => challenge.replace('Bearer', 'Token')),
  ),

  // Where it leads
  interoperability(
    'auth.challenge.realm.none',
    'the challenge has no realm',
    ['auth.challenge.realm'],
    challenging((challenge) => withParameter(challenge, 'realm', undefined)),
    'tells the user that the registry does not say where tokens come from',
  ),
  interoperability(
    'auth.challenge.realm.empty',
    'the realm is empty',
    ['auth.challenge.realm'],
    challenging(realmOf(() => 'realm=""')),
  ),
  interoperability(
    'auth.challenge.realm.unquoted',
    'the realm stands without quotes',
    ['auth.challenge.realm-quoted'],
    challenging(realmOf((realm) => `realm=${realm}`)),
  ),
  interoperability(
    'auth.challenge.realm.single-quotes',
    'the realm stands in single quotes',
    ['auth.challenge.realm-quoted'],
    challenging(realmOf((realm) => `realm='${realm}'`)),
  ),
  interoperability(
    'auth.challenge.realm.relative',
    'the realm is a path, not a URL',
    ['auth.challenge.realm-url'],
    challenging(realmOf(() => 'realm="/token"')),
  ),
  interoperability(
    'auth.challenge.realm.unreachable',
    'the realm is an address that only the deployment itself can reach',
    ['auth.challenge.realm-url'],
    challenging(realmOf(() => 'realm="http://127.0.0.1:9/token"')),
    'says which token service it could not reach, after a time limit',
  ),
  interoperability(
    'auth.challenge.realm.elsewhere-on-repositories',
    'the realm of challenges on repositories leads to a path where nothing is',
    ['auth.challenge.realm-url', 'auth.flow.pull', 'auth.flow.push'],
    challenging(
      realmOf((realm) => `realm="${realm}s"`),
      onRepository,
    ),
  ),
  interoperability(
    'auth.challenge.service.none',
    'the challenge has no service',
    ['auth.challenge.service'],
    challenging((challenge) => withParameter(challenge, 'service', undefined)),
  ),
  interoperability(
    'auth.challenge.service.empty',
    'the service is empty',
    ['auth.challenge.service'],
    challenging((challenge) => withParameter(challenge, 'service', '""')),
  ),

  // What it asks for
  interoperability(
    'auth.challenge.scope.none',
    'challenges on repositories have no scope',
    ['auth.challenge.scope', 'auth.flow.pull', 'auth.flow.push'],
    challenging((challenge) => withParameter(challenge, 'scope', undefined), onRepository),
    'asks for pull, or for pull and push, on the repository that it is about to use',
  ),
  interoperability(
    'auth.challenge.scope.default-name',
    'the scope names a default repository instead of the one of the request',
    [
      'auth.challenge.scope',
      'auth.challenge.scope-grammar',
      'auth.challenge.scope-actions',
      'auth.flow.pull',
    ],
    challenging(
      (challenge, request) => withParameter(challenge, 'scope', scopeOf(request, 'pull,push', 'user/image')),
      onRepository,
    ),
  ),
  interoperability(
    'auth.challenge.scope.last-component',
    'the scope names only the last component of the repository',
    ['auth.challenge.scope', 'auth.challenge.scope-grammar', 'auth.flow.push'],
    challenging(
      (challenge, request) =>
        withParameter(
          challenge,
          'scope',
          scopeOf(request, 'pull,push', repositoryOf(request).split('/').at(-1)),
        ),
      onRepository,
    ),
  ),
  interoperability(
    'auth.challenge.scope.pull-for-writes',
    'a write is challenged with a scope for pull, so that clients go round in circles',
    [
      'auth.challenge.scope',
      'auth.challenge.scope-actions',
      'auth.challenge.insufficient-scope',
      'auth.flow.push',
    ],
    challenging(
      (challenge, request) => withParameter(challenge, 'scope', scopeOf(request, 'pull')),
      both(onRepository, isWrite),
    ),
    'gives up after the second 401',
  ),
  interoperability(
    'auth.challenge.scope.push-for-reads',
    'a read is challenged with a scope for push alone',
    ['auth.challenge.scope', 'auth.challenge.scope-actions', 'auth.flow.pull'],
    challenging(
      (challenge, request) => withParameter(challenge, 'scope', scopeOf(request, 'push')),
      both(onRepository, (request) => !isWrite(request)),
    ),
  ),
  interoperability(
    'auth.challenge.scope.no-mount-source',
    'the challenge of a mount does not ask for the repository that is mounted from',
    ['auth.challenge.scope-actions'],
    challenging(
      (challenge, request) => withParameter(challenge, 'scope', scopeOf(request, 'pull,push')),
      onUploads,
    ),
  ),
  interoperability(
    'auth.challenge.scope.twice',
    'pull and push are asked for in two scope attributes of one challenge',
    ['auth.challenge.scope-once'],
    challenging(
      (challenge, request) =>
        `${withParameter(challenge, 'scope', scopeOf(request, 'pull'))},scope=${scopeOf(request, 'push')}`,
      both(onRepository, isWrite),
    ),
  ),
  interoperability(
    'auth.challenge.service.twice',
    'the challenge has two services',
    ['auth.challenge.scope-once'],
    challenging((challenge) => `${challenge},service="registry"`),
  ),
  interoperability(
    'auth.challenge.scope.no-type',
    'the scope is a name and actions without the type',
    ['auth.challenge.scope-grammar', 'auth.challenge.scope', 'auth.flow.pull'],
    challenging((challenge) => challenge.replace('repository:', ''), onRepository),
  ),
  interoperability(
    'auth.challenge.scope.padded',
    'the scope begins with a space',
    ['auth.challenge.scope-grammar'],
    challenging((challenge) => challenge.replace('scope="', 'scope=" '), onRepository),
  ),
  interoperability(
    'auth.challenge.scope.spaces-between-actions',
    'the actions of a scope are separated by spaces',
    ['auth.challenge.scope-grammar'],
    challenging((challenge) => challenge.replace('pull,push', 'pull push'), onRepository),
  ),

  // What it says of the token
  interoperability(
    'auth.challenge.error.none',
    'a bad token is refused without error="invalid_token"',
    ['auth.challenge.error-invalid-token'],
    challenging((challenge) => withParameter(challenge, 'error', undefined)),
  ),
  interoperability(
    'auth.challenge.error.always',
    'also who sends no token is told that it is invalid',
    ['auth.challenge.error-invalid-token'],
    challenging((challenge) => withParameter(challenge, 'error', '"invalid_token"')),
  ),
  interoperability(
    'auth.challenge.error.other',
    'a bad token is told as invalid_request',
    ['auth.challenge.error-invalid-token'],
    challenging((challenge) => challenge.replace('invalid_token', 'invalid_request')),
  ),
  interoperability(
    'auth.challenge.insufficient.404',
    'a token without the right is answered 404',
    ['auth.challenge.insufficient-scope'],
    instead(
      both(onUploads, (request) => holds(request, 'pull') && !holds(request, 'push')),
      () => refusal(404, 'NAME_UNKNOWN'),
    ),
  ),
  interoperability(
    'auth.challenge.insufficient.500',
    'a token without the right makes the registry fail',
    ['auth.challenge.insufficient-scope', 'auth.verify.pull-cannot-push', 'auth.token.scope-intersection'],
    instead(
      both(onUploads, (request) => holds(request, 'pull') && !holds(request, 'push')),
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
  cosmetic(
    'auth.challenge.body.text',
    'the body of a 401 is plain text',
    ['auth.challenge.body'],
    afterwards(onRepository, (response) =>
      isUnauthorized(response)
        ? new Response('authentication required\n', { status: 401, headers: response.headers })
        : response,
    ),
  ),
  cosmetic(
    'auth.challenge.body.mislabelled',
    'the JSON of a 401 is labelled text/html',
    ['auth.challenge.body'],
    afterwards(onRepository, (response) =>
      isUnauthorized(response) ? withHeaders(response, { 'content-type': 'text/html' }) : response,
    ),
  ),
  cosmetic(
    'auth.challenge.body.code',
    'the code in the body of a 401 is AUTHENTICATION_REQUIRED',
    ['auth.challenge.body'],
    afterwards(onRepository, (response) =>
      isUnauthorized(response)
        ? refusal(401, 'AUTHENTICATION_REQUIRED', 'no', {
            'www-authenticate': response.headers.get('www-authenticate') ?? '',
          })
        : response,
    ),
  ),
  interoperability(
    'auth.challenge.scheme.case',
    'the scheme of Authorization is only known as "Bearer"',
    ['auth.challenge.scheme-case'],
    instead(
      (request) => /^(?:bearer|BEARER) /.test(request.headers.get('authorization') ?? ''),
      () =>
        refusal(401, 'UNAUTHORIZED', 'no token', {
          'www-authenticate': 'Bearer realm="http://127.0.0.1/token"',
        }),
    ),
  ),
]
