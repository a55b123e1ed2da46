import { to } from '../../harness/rewrite.ts'
import { accessOf, type JsonWebToken } from './json-web-token.ts'
import {
  both,
  carried,
  doneAndRefused,
  holds,
  isAnonymous,
  onRepository,
  refusal,
  repositoryOf,
  security,
  unguarded,
} from './seams.faults.ts'

const entriesOf = (request: Request) => accessOf(carried(request) ?? { header: {}, payload: {} })
const subjectOf = (request: Request) => (carried(request) as JsonWebToken | undefined)?.payload['sub']

/** The right of a token on one repository is found by comparing names in the wrong way. */
const compared = (matches: (asked: string, held: string) => boolean, method = '*') =>
  unguarded(
    both(to(method, /^\/v2\/.+\/(?:manifests|blobs|tags)\//), (request) =>
      entriesOf(request).some(({ name }) => matches(repositoryOf(request), name)),
    ),
  )

const deletions = to('DELETE', /\/manifests\/sha256:/)
const pullOnly = (request: Request) => holds(request, 'pull') && !holds(request, 'push')
const withPull = (method: string, path: RegExp) => unguarded(both(to(method, path), pullOnly))
const strangers = (method: string, path: RegExp) =>
  unguarded(both(to(method, path), (request) => subjectOf(request) === 'stranger'))

const names = [
  security(
    'auth.verify.name.prefix',
    'a token for t/a opens t/ab',
    ['auth.verify.other-repo'],
    compared((asked, held) => asked.startsWith(held)),
  ),
  security(
    'auth.verify.name.prefix-reads',
    'a token for t/a reads t/ab',
    ['auth.verify.other-repo'],
    compared((asked, held) => asked.startsWith(held), 'GET'),
  ),
  security(
    'auth.verify.name.prefix-pushes',
    'a token for t/a begins uploads in t/ab',
    ['auth.verify.other-repo'],
    compared((asked, held) => asked.startsWith(held), 'POST'),
  ),
  security(
    'auth.verify.name.below',
    'a token for t/a opens what lies below it',
    ['auth.verify.other-repo'],
    compared((asked, held) => asked.startsWith(`${held}/`)),
  ),
  security(
    'auth.verify.name.above',
    'a token for t/a opens t',
    ['auth.verify.other-repo'],
    compared((asked, held) => held.startsWith(`${asked}/`)),
  ),
  security(
    'auth.verify.name.sibling',
    'a token for t/a opens everything below t',
    ['auth.verify.other-repo'],
    compared((asked, held) => asked.replace(/[^/]+$/, '') === held.replace(/[^/]+$/, '')),
  ),
  security(
    'auth.verify.name.suffix',
    'a token for t/a opens s/t/a',
    ['auth.verify.other-repo'],
    compared((asked, held) => asked.endsWith(held.split('/').slice(-2).join('/'))),
  ),
  security(
    'auth.verify.name.pattern',
    'the name in a token is used as a pattern',
    ['auth.verify.other-repo'],
    compared((asked, held) => new RegExp(held).test(asked)),
  ),
  security(
    'auth.verify.type.ignored',
    'an access entry counts whatever its type is',
    ['auth.verify.type-checked'],
    unguarded(
      both(onRepository, (request) =>
        entriesOf(request).some(({ type, name }) => type !== 'repository' && name === repositoryOf(request)),
      ),
    ),
  ),
  ...(['GET', 'POST'] as const).map((method) =>
    security(
      `auth.verify.type.ignored-by-${method.toLowerCase()}`,
      `${method} takes an access entry whatever its type is`,
      ['auth.verify.type-checked'],
      unguarded(
        both(to(method, /\/(?:manifests|blobs)\//), (request) =>
          entriesOf(request).some(
            ({ type, name }) => type !== 'repository' && name === repositoryOf(request),
          ),
        ),
      ),
    ),
  ),
  security(
    'auth.verify.type.case',
    'the type of an access entry is compared without regard to case',
    ['auth.verify.type-checked'],
    unguarded(
      both(onRepository, (request) =>
        entriesOf(request).some(({ type, name }) => type === 'Repository' && name === repositoryOf(request)),
      ),
    ),
  ),
  security(
    'auth.verify.type.beginning',
    'only the beginning of the type of an access entry is compared',
    ['auth.verify.type-checked'],
    unguarded(
      both(onRepository, (request) =>
        entriesOf(request).some(
          ({ type, name }) => /^repository./.test(type) && name === repositoryOf(request),
        ),
      ),
    ),
  ),
]

const actions = [
  security(
    'auth.verify.pull.pushes',
    'a token for pull can push',
    ['auth.verify.pull-cannot-push', 'auth.token.scope-intersection', 'auth.challenge.insufficient-scope'],
    unguarded(both(onRepository, pullOnly)),
  ),
  security(
    'auth.verify.pull.begins',
    'a token for pull can begin an upload',
    ['auth.verify.pull-cannot-push', 'auth.token.scope-intersection'],
    withPull('POST', /\/uploads\/$/),
  ),
  security(
    'auth.verify.pull.continues',
    'a token for pull can continue an upload',
    ['auth.verify.pull-cannot-push'],
    withPull('PATCH', /\/uploads\//),
  ),
  security(
    'auth.verify.pull.ends',
    'a token for pull can end an upload',
    ['auth.verify.pull-cannot-push'],
    withPull('PUT', /\/uploads\//),
  ),
  security(
    'auth.verify.pull.cancels',
    'a token for pull can cancel an upload',
    ['auth.verify.pull-cannot-push'],
    withPull('DELETE', /\/uploads\//),
  ),
  security(
    'auth.verify.pull.tags',
    'a token for pull can put a manifest',
    ['auth.verify.pull-cannot-push'],
    withPull('PUT', /\/manifests\//),
  ),
  security(
    'auth.verify.pull.deletes-manifests',
    'a token for pull can delete a manifest',
    ['auth.verify.pull-cannot-push'],
    withPull('DELETE', /\/manifests\//),
  ),
  security(
    'auth.verify.pull.deletes-blobs',
    'a token for pull can delete a blob',
    ['auth.verify.pull-cannot-push'],
    withPull('DELETE', /\/blobs\/sha256:/),
  ),
  security(
    'auth.verify.pull.deletes-unseen',
    'what a token for pull deletes is gone, although it was told 401',
    ['auth.verify.pull-cannot-push'],
    doneAndRefused(both(deletions, pullOnly)),
  ),
  security(
    'auth.verify.no-access.deletes-unseen',
    'what a token without any access deletes is gone, although it was told 401',
    ['auth.verify.empty-access'],
    doneAndRefused(
      both(deletions, (request) => carried(request) !== undefined && entriesOf(request).length === 0),
    ),
  ),
  security(
    'auth.verify.push.pulls',
    'a token for push alone can pull',
    ['auth.verify.push-without-pull'],
    unguarded(
      both(
        to('GET', /\/(?:manifests|blobs)\//),
        (request) => holds(request, 'push') && !holds(request, 'pull'),
      ),
    ),
  ),
  security(
    'auth.verify.push.pulls-manifests',
    'a token for push alone can pull manifests',
    ['auth.verify.push-without-pull'],
    unguarded(
      both(to('GET', /\/manifests\//), (request) => holds(request, 'push') && !holds(request, 'pull')),
    ),
  ),
  security(
    'auth.verify.push.pulls-blobs',
    'a token for push alone can pull blobs',
    ['auth.verify.push-without-pull'],
    unguarded(both(to('GET', /\/blobs\//), (request) => holds(request, 'push') && !holds(request, 'pull'))),
  ),
  ...['manifests', 'blobs', 'tags', 'referrers'].map((what) =>
    security(
      `auth.verify.no-access.reads-${what}`,
      `a token without any access reads ${what}`,
      ['auth.verify.empty-access'],
      unguarded(
        both(
          to('GET', new RegExp(`/${what}/`)),
          (request) => !isAnonymous(request) && entriesOf(request).length === 0,
        ),
      ),
    ),
  ),
  security(
    'auth.verify.no-access.is-all',
    'a token with an empty access list opens everything',
    ['auth.verify.empty-access', 'auth.token.scope-intersection'],
    unguarded(both(onRepository, (request) => !isAnonymous(request) && entriesOf(request).length === 0)),
  ),
]

const accounts = [
  security(
    'auth.verify.stranger.reads-manifests',
    'every account reads manifests',
    ['auth.verify.stranger'],
    strangers('GET', /\/manifests\//),
  ),
  security(
    'auth.verify.stranger.reads-blobs',
    'every account reads blobs',
    ['auth.verify.stranger'],
    strangers('GET', /\/blobs\/sha256:/),
  ),
  security(
    'auth.verify.stranger.heads-blobs',
    'HEAD of a blob tells every account what is there',
    ['auth.verify.stranger'],
    strangers('HEAD', /\/blobs\/sha256:/),
  ),
  security(
    'auth.verify.stranger.lists-tags',
    'every account lists tags',
    ['auth.verify.stranger'],
    strangers('GET', /\/tags\/list$/),
  ),
  security(
    'auth.verify.stranger.lists-referrers',
    'every account lists referrers',
    ['auth.verify.stranger'],
    strangers('GET', /\/referrers\//),
  ),
  security(
    'auth.verify.stranger.mounts',
    'every account may begin an upload, and so mount what it cannot read',
    ['auth.verify.stranger', 'auth.token.scope-intersection'],
    strangers('POST', /\/uploads\/$/),
  ),
  security(
    'auth.verify.stranger.deletes',
    'every account may delete',
    ['auth.verify.stranger'],
    strangers('DELETE', /\/(?:manifests|blobs)\/sha256:/),
  ),
  security(
    'auth.verify.stranger.deletes-unseen',
    'what another account deletes is gone, although it was told 403',
    ['auth.verify.stranger'],
    doneAndRefused(
      both(deletions, (request) => subjectOf(request) === 'stranger'),
      () => refusal(403, 'DENIED'),
    ),
  ),
  security(
    'auth.verify.stranger.joins-uploads',
    "every account may add to another's upload",
    ['auth.verify.stranger'],
    strangers('PATCH', /\/uploads\//),
  ),
]

export const faults = [...names, ...actions, ...accounts]
