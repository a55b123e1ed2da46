import { to, withBody, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import {
  afterwards,
  both,
  doneAndRefused,
  holds,
  instead,
  interoperability,
  isAnonymous,
  pathOf,
  queryOf,
  refusal,
  security,
  unguarded,
} from './seams.faults.ts'

const onUploads = to('POST', /\/blobs\/uploads\/$/)
const onSession = to('*', /\/blobs\/uploads\/[^/]+$/)
const heads = to('HEAD', /^\/v2\/.+\/(?:manifests|blobs)\//)
const anonymous = (method: string, path: RegExp) => both(to(method, path), isAnonymous)
const guarded = ['auth.challenge.all-endpoints', 'auth.challenge.401']

/** Doors that were left open, each alone. */
const openDoors = [
  security(
    'auth.guard.blobs',
    'blobs are served without a token',
    guarded,
    unguarded(anonymous('GET', /\/blobs\/sha256:/)),
  ),
  security(
    'auth.guard.manifests',
    'manifests are served without a token',
    guarded,
    unguarded(anonymous('GET', /\/manifests\//)),
  ),
  security(
    'auth.guard.manifests-by-digest',
    'who knows the digest of a manifest needs no token',
    ['auth.challenge.all-endpoints', 'auth.challenge.head'],
    unguarded(anonymous('*', /\/manifests\/sha256:/)),
  ),
  security(
    'auth.guard.tags',
    'tags are listed without a token',
    guarded,
    unguarded(anonymous('GET', /\/tags\/list$/)),
  ),
  security(
    'auth.guard.referrers',
    'referrers are listed without a token',
    ['auth.challenge.all-endpoints'],
    unguarded(anonymous('GET', /\/referrers\//)),
  ),
  security(
    'auth.guard.head',
    'HEAD of manifests and blobs needs no token',
    ['auth.challenge.all-endpoints', 'auth.challenge.head', 'auth.challenge.401'],
    unguarded(both(heads, isAnonymous)),
  ),
  security(
    'auth.guard.head-of-blobs',
    'HEAD of a blob needs no token',
    ['auth.challenge.all-endpoints', 'auth.challenge.head'],
    unguarded(anonymous('HEAD', /\/blobs\//)),
  ),
  security(
    'auth.guard.upload-status',
    'the status of an upload is told without a token',
    ['auth.challenge.all-endpoints', 'auth.verify.push-needed-for-session'],
    unguarded(both(onSession, (request) => request.method === 'GET', isAnonymous)),
  ),
  security(
    'auth.guard.session-patch',
    'who knows the URL of an upload can add to it without a token',
    [...guarded, 'auth.verify.push-needed-for-session'],
    unguarded(both(onSession, (request) => request.method === 'PATCH', isAnonymous)),
  ),
  security(
    'auth.guard.session-put',
    'who knows the URL of an upload can end it without a token',
    [...guarded, 'auth.verify.push-needed-for-session'],
    unguarded(both(onSession, (request) => request.method === 'PUT', isAnonymous)),
  ),
  security(
    'auth.guard.session-cancel',
    'who knows the URL of an upload can cancel it without a token',
    ['auth.challenge.all-endpoints', 'auth.verify.push-needed-for-session'],
    unguarded(both(onSession, (request) => request.method === 'DELETE', isAnonymous)),
  ),
  security(
    'auth.guard.uploads',
    'an upload begins without a token',
    guarded,
    unguarded(both(onUploads, isAnonymous)),
  ),
  security(
    'auth.guard.manifest-put',
    'a manifest is taken without a token',
    ['auth.challenge.all-endpoints'],
    unguarded(anonymous('PUT', /\/manifests\//)),
  ),
  security(
    'auth.guard.delete',
    'manifests and blobs are deleted without a token',
    guarded,
    unguarded(anonymous('DELETE', /\/(?:manifests|blobs)\/sha256:/)),
  ),
  security(
    'auth.guard.deleted-and-refused',
    'a DELETE without a token is answered 401 and done nevertheless',
    ['auth.challenge.all-endpoints'],
    doneAndRefused(anonymous('DELETE', /\/manifests\/sha256:/)),
  ),
  security(
    'auth.guard.blob-deleted-and-refused',
    'a DELETE of a blob without a token is answered 401 and done nevertheless',
    ['auth.challenge.all-endpoints'],
    doneAndRefused(anonymous('DELETE', /\/blobs\/sha256:/)),
  ),
  security(
    'auth.guard.tagged-and-refused',
    'a manifest without a token is answered 401 and stored nevertheless',
    ['auth.challenge.all-endpoints'],
    doneAndRefused(anonymous('PUT', /\/manifests\//)),
  ),
  security(
    'auth.guard.patched-and-refused',
    'a chunk without a token is answered 401, and ends up in the blob that the owner makes of the upload',
    ['auth.challenge.all-endpoints', 'auth.verify.push-needed-for-session'],
    intrudingChunks(),
  ),
  interoperability(
    'auth.guard.head-403',
    'HEAD without a token is answered 403 where GET is answered 401',
    ['auth.challenge.head', 'auth.challenge.401'],
    afterwards(both(heads, isAnonymous), (response) => withStatus(response, 403)),
  ),
  security(
    'auth.guard.cancelled-and-refused',
    'cancelling an upload without a token is answered 401 and done nevertheless',
    ['auth.challenge.all-endpoints', 'auth.verify.push-needed-for-session'],
    doneAndRefused(both(onSession, (request) => request.method === 'DELETE', isAnonymous)),
  ),
  security(
    'auth.guard.catalog',
    'the catalogue is open to everyone, and names what is private',
    ['auth.challenge.all-endpoints', 'auth.verify.catalog-not-public'],
    unguarded(anonymous('GET', /^\/v2\/_catalog$/)),
  ),
]

/** Remembers the chunks that were refused, and puts them before what the upload becomes. */
function intrudingChunks(): Seams {
  const chunks = new Map<string, Buffer>()
  const made = new Map<string, Buffer>()
  return {
    registry: (next) => async (request, context) => {
      const path = pathOf(request)
      if (request.method === 'PATCH' && isAnonymous(request)) {
        const refused = await next(new Request(request.url, { method: 'PATCH' }), {})
        chunks.set(path, Buffer.from(await request.arrayBuffer()))
        return refused
      }
      const chunk = chunks.get(path)
      if (request.method === 'PUT' && chunk && !isAnonymous(request)) {
        made.set(`/${queryOf(request).get('digest')}`, chunk)
      }
      const intruder = made.get(path.slice(path.lastIndexOf('/')))
      const answer = await next(request, context)
      return intruder ? withBody(answer, (bytes) => Buffer.concat([intruder, bytes])) : answer
    },
  }
}

const withoutRights = (request: Request) => !isAnonymous(request) && !holds(request, 'pull')

/** What a refusal gives away. */
const oracles = [
  security(
    'auth.oracle.anonymous',
    'an absent manifest is answered 404 and a private one 401',
    ['auth.challenge.no-oracle', 'auth.challenge.401'],
    instead(both(isAnonymous, to('*', /\/manifests\/(?:absent|latest)$/)), () =>
      refusal(404, 'MANIFEST_UNKNOWN'),
    ),
  ),
  security(
    'auth.oracle.repository',
    'the message of a refusal tells an unknown repository from a private one',
    ['auth.challenge.no-oracle'],
    afterwards(both(isAnonymous, to('GET', /\/absent\/tags\/list$/)), (response) =>
      refusal(401, 'UNAUTHORIZED', 'no such repository', {
        'www-authenticate': response.headers.get('www-authenticate') ?? '',
      }),
    ),
  ),
  interoperability(
    'auth.oracle.login-page',
    'whoever asks for tags without a token gets a page to log in, with 200',
    ['auth.challenge.no-oracle', 'auth.challenge.all-endpoints', 'auth.challenge.401'],
    instead(
      both(isAnonymous, to('GET', /\/tags\/list$/)),
      () =>
        new Response('<!doctype html><title>Log in</title>', { headers: { 'content-type': 'text/html' } }),
    ),
  ),
  security(
    'auth.oracle.account',
    'an account without rights is answered 404 for absent blobs and 403 for private ones',
    ['auth.challenge.no-oracle'],
    afterwards(both(withoutRights, to('GET', /\/manifests\/absent$/)), () =>
      refusal(404, 'MANIFEST_UNKNOWN'),
    ),
  ),
]

export const faults = [...openDoors, ...oracles]
