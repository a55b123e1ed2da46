import { to } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { accessOf } from './json-web-token.ts'
import {
  afterwards,
  atToken,
  basicOf,
  both,
  holds,
  instead,
  interoperability,
  onRepository,
  pathOf,
  queryOf,
  refusal,
  repositoryOf,
  scopesOf,
  security,
  unguarded,
  withClaims,
} from './seams.faults.ts'

type Body = Readonly<Record<string, unknown>>

const uploads = to('POST', /\/blobs\/uploads\/$/)
const isAsked = (pattern: RegExp) => (request: Request) =>
  queryOf(request)
    .getAll('scope')
    .some((scope) => pattern.test(scope))
const entriesOf = (payload: Body) => accessOf({ header: {}, payload })
const repositories = (request: Request) => scopesOf(request).filter(({ type }) => type === 'repository')
const everything = ['pull', 'push']

/** Refuses to begin uploads where three were begun. */
const fourthRefused: NonNullable<Seams['registry']> = (next) => {
  const begun = new Map<string, number>()
  return (request, context) => {
    const path = pathOf(request)
    const count = uploads(request) && holds(request, 'push') ? (begun.get(path) ?? 0) + 1 : 0
    begun.set(path, Math.max(count, begun.get(path) ?? 0))
    return count > 3 ? refusal(403, 'DENIED') : next(request, context)
  }
}

export const faults = [
  security(
    'auth.token.scope.all-that-may-be',
    'a token holds all that its account may do on the repository, not only what was asked for',
    ['auth.token.scope-intersection', 'auth.token.scope-push-only'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({ ...entry, actions: everything })),
    })),
  ),
  security(
    'auth.token.scope.reader-pushes',
    'an account that may only pull gets push when it asks for it',
    ['auth.token.scope-intersection'],
    withClaims((payload, request) => ({
      access: basicOf(request)[0] === 'reader' ? repositories(request) : payload['access'],
    })),
  ),
  security(
    'auth.token.scope.stranger-pulls',
    'every account gets pull when it asks for it',
    ['auth.token.scope-intersection', 'auth.token.subset-not-error', 'auth.verify.stranger'],
    withClaims((payload, request) => ({
      access:
        basicOf(request)[0] === 'stranger'
          ? repositories(request).map((entry) => ({ ...entry, actions: ['pull'] }))
          : payload['access'],
    })),
  ),
  security(
    'auth.token.scope.not-looked-at',
    'the registry looks at who holds a token, not at what the token allows',
    [
      'auth.token.scope-intersection',
      'auth.verify.pull-cannot-push',
      'auth.verify.other-repo',
      'auth.verify.empty-access',
    ],
    unguarded(both(onRepository, (request) => request.headers.has('authorization'))),
  ),
  security(
    'auth.token.scope.push-means-pull',
    'who asks for push gets pull too',
    ['auth.token.scope-push-only'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({
        ...entry,
        actions: entry.actions.includes('push') ? everything : entry.actions,
      })),
    })),
  ),
  interoperability(
    'auth.token.scope.push-lost',
    'of pull and push, the token holds pull',
    ['auth.token.scope-pull-push', 'auth.token.scope-multiple'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({ ...entry, actions: ['pull'] })),
    })),
  ),
  interoperability(
    'auth.token.scope.push-not-honoured',
    'a token that holds push cannot put a manifest',
    ['auth.token.scope-pull-push'],
    instead(
      both(to('PUT', /\/manifests\/pushed$/), (request) => holds(request, 'push')),
      () => refusal(403, 'DENIED'),
    ),
  ),
  interoperability(
    'auth.token.scope.push-told-otherwise',
    'what is pushed with a token is stored, and answered 403',
    ['auth.token.scope-pull-push', 'auth.flow.push'],
    afterwards(
      both(to('PUT', /\/manifests\/(?:pushed|flow)$/), (request) => holds(request, 'push')),
      () => refusal(403, 'DENIED'),
    ),
  ),
  interoperability(
    'auth.token.scope.blob-told-otherwise',
    'a blob that is pushed with a token is stored, and answered 403',
    ['auth.token.scope-pull-push', 'auth.flow.push'],
    afterwards(
      both(to('PUT', /\/blobs\/uploads\//), (request) => holds(request, 'push')),
      () => refusal(403, 'DENIED'),
    ),
  ),
  interoperability(
    'auth.token.scope.push-cannot-begin',
    'a token that holds push cannot begin an upload',
    ['auth.token.scope-pull-push', 'auth.flow.push'],
    instead(
      both(uploads, (request) => holds(request, 'push')),
      () => refusal(403, 'DENIED'),
    ),
  ),
  interoperability(
    'auth.token.scope.pull-not-honoured',
    'a token that holds pull and push cannot pull',
    ['auth.token.scope-pull-push', 'auth.token.usable', 'auth.flow.push'],
    instead(
      both(to('GET', /\/manifests\//), (request) => holds(request, 'pull') && holds(request, 'push')),
      () => refusal(403, 'DENIED'),
    ),
  ),
  interoperability(
    'auth.token.scope.three-uploads',
    'a fourth upload in a repository is refused',
    ['auth.token.usable'],
    { registry: fourthRefused },
  ),
  security(
    'auth.token.scope.another-added',
    'a token holds what was asked for on a second repository too',
    ['auth.token.scope-push-only', 'auth.token.scope-pull-push'],
    withClaims((payload) => ({
      access: entriesOf(payload).flatMap((entry) => [entry, { ...entry, name: `${entry.name}-too` }]),
    })),
  ),
  interoperability(
    'auth.token.scope.first-only',
    'of several scopes only the first is honoured',
    ['auth.token.scope-multiple', 'auth.jwt.access-entry'],
    withClaims((payload) => ({ access: entriesOf(payload).slice(0, 1) })),
    'gets a token for each repository by itself where one for both lacks one',
  ),
  interoperability(
    'auth.token.scope.last-only',
    'of several scopes only the last is honoured',
    ['auth.token.scope-multiple', 'auth.jwt.access-entry'],
    withClaims((payload, request) => {
      const { name } = scopesOf(request).at(-1) ?? {}
      return { access: entriesOf(payload).filter((entry) => entry.name === name) }
    }),
  ),
  interoperability(
    'auth.token.scope.port-cut',
    'a name with host and port is cut at the colon',
    ['auth.token.scope-port-in-name'],
    withClaims((payload, request) => {
      const cut = scopesOf(request).map(({ type, name }) => ({
        type,
        name: name.split(':')[0],
        actions: ['pull'],
      }))
      return { access: isAsked(/:\d+\//)(request) ? cut : payload['access'] }
    }),
  ),
  interoperability(
    'auth.token.scope.port-fails',
    'a name with host and port makes the token service fail',
    ['auth.token.scope-port-in-name'],
    instead(both(atToken, isAsked(/:\d+\//)), () => refusal(500, 'UNKNOWN')),
  ),
  interoperability(
    'auth.token.scope.more-refused',
    'asking for more than one has is answered 403',
    ['auth.token.subset-not-error'],
    instead(
      both(atToken, (request) => basicOf(request)[0] === 'stranger'),
      () => refusal(403, 'DENIED'),
    ),
    'asks again for less, or says what it lacks',
  ),
  security(
    'auth.token.scope.action-copied',
    'an action that nobody knows goes into the token',
    ['auth.token.scope-unknown'],
    withClaims((payload, request) => ({
      access: isAsked(/fly/)(request) ? scopesOf(request).slice(0, 1) : payload['access'],
    })),
  ),
  security(
    'auth.token.scope.type-copied',
    'a resource type that nobody knows goes into the token',
    ['auth.token.scope-unknown'],
    withClaims((payload, request) => ({
      access: [...entriesOf(payload), ...scopesOf(request).filter(({ type }) => type === 'planet')],
    })),
  ),
  interoperability(
    'auth.token.scope.unknown-fails',
    'an unknown type makes the token service fail',
    ['auth.token.scope-unknown'],
    instead(both(atToken, isAsked(/^planet:/)), () => refusal(500, 'UNKNOWN')),
  ),
  interoperability(
    'auth.token.scope.malformed-fails',
    'a scope without colons makes the token service fail',
    ['auth.token.scope-malformed'],
    instead(both(atToken, isAsked(/^[^:]+$/)), () => refusal(500, 'UNKNOWN')),
  ),
  security(
    'auth.token.scope.wildcard-name',
    'a scope for all repositories is granted',
    ['auth.token.scope-malformed'],
    withClaims((payload, request) => ({
      access: isAsked(/^repository:\*:/)(request) ? scopesOf(request) : payload['access'],
    })),
  ),
  security(
    'auth.token.scope.wildcard-action',
    'a scope with the action * is granted as it stands',
    ['auth.token.scope-malformed'],
    withClaims((payload, request) => ({
      access: isAsked(/:\*$/)(request) ? scopesOf(request) : payload['access'],
    })),
  ),
  security(
    'auth.token.scope.empty-name',
    'a scope with an empty name is granted',
    ['auth.token.scope-malformed'],
    withClaims((payload, request) => ({
      access: isAsked(/^repository::/)(request) ? scopesOf(request) : payload['access'],
    })),
  ),
  security(
    'auth.token.scope.cut-is-all',
    'a token for a scope that is cut short opens what lies beside',
    ['auth.token.scope-malformed'],
    unguarded(
      both(
        uploads,
        (request) => /-beside$/.test(repositoryOf(request)) && request.headers.has('authorization'),
      ),
    ),
  ),
]
