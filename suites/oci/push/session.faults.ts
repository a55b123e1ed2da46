import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, to, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { heading, misread, restatus, storing } from '../seams.faults.ts'
import { errorAnswer, having } from '../wire.ts'
import { session, uploads } from './upload-wire.ts'

const { corruption, security, interoperability } = faultKinds<Seams>()

const unique = ['oci.push.session.location.unique']
const located = ['oci.push.session.post.location']
const unknown = ['oci.push.session.unknown.404']
const started = (headers: (response: Response, request: Request) => Record<string, string | null>) =>
  heading('POST', uploads, 202, headers)

/** Sessions are numbered in each repository, and the number is always the same. */
const reused: Seams = {
  registry: (next) => {
    const first = new Map<string, string>()
    return rewriting(
      to('POST', uploads),
      having(202, (response, { url }) => {
        const location = first.get(url) ?? response.headers.get('location') ?? ''
        first.set(url, location)
        return withHeaders(response, { location })
      }),
    )(next)
  },
}

/** The bytes of a session are looked for in the one that was written to last. */
const mixed: Seams = {
  stores: ({ uploads: sessions, ...rest }) => {
    let last = ''
    return {
      ...rest,
      uploads: {
        ...sessions,
        append(id, chunk) {
          last = id
          return sessions.append(id, chunk)
        },
        chunks: () => sessions.chunks(last),
      },
    }
  },
}

/** Sessions are found under every repository. */
const unbound: Seams = {
  stores: ({ uploads: sessions, ...rest }) => {
    const homes = new Map<string, string>()
    return {
      ...rest,
      uploads: {
        ...sessions,
        open(upload) {
          homes.set(upload.id, upload.repository)
          return sessions.open(upload)
        },
        find: (name, id) => sessions.find(homes.get(id) ?? name, id),
      },
    }
  },
}

/** The digest is read from the first parameter of the upload URL, which has one already. */
const firstParameter: Seams = {
  registry: (next) =>
    rewriting(
      to('POST', uploads),
      having(202, (response) =>
        withHeaders(response, { location: `${response.headers.get('location')}?_state=open` }),
      ),
    )(
      misread(to('PUT', session), ({ url }) => {
        if (url.search.startsWith('?_state=')) url.searchParams.delete('digest')
        return { url }
      })(next),
    ),
}

/** Asking for the status of a session without bytes spoils it. */
const spoilt: Seams = {
  registry: (next) => {
    const asked = new Set<string>()
    return async (request, context) => {
      const { pathname } = new URL(request.url)
      if (to('PATCH', session)(request) && asked.has(pathname)) return errorAnswer(416, 'BLOB_UPLOAD_INVALID')
      const answer = await next(request, context)
      if (to('GET', session)(request) && answer.headers.get('range') === '0-0') asked.add(pathname)
      return answer
    }
  },
}

const told = (headers: (response: Response, request: Request) => Record<string, string | null>) =>
  heading('GET', session, 204, headers)
const rangeOf = ({ headers }: Response) => headers.get('range') ?? ''

const status204 = ['oci.push.status.204']
const statusRange = ['oci.push.status.range']
const gone = ['oci.push.cancel.session-gone']

export const faults = [
  interoperability(
    'oci.push.session.post-201',
    'starting an upload answers 201',
    ['oci.push.session.post.202'],
    restatus('POST', uploads, 202, 201),
  ),
  interoperability(
    'oci.push.session.post-200',
    'starting an upload answers 200',
    ['oci.push.session.post.202'],
    restatus('POST', uploads, 202, 200),
  ),
  interoperability(
    'oci.push.session.no-location',
    'the 202 to a POST has no Location',
    located,
    started(() => ({ location: null })),
  ),
  interoperability(
    'oci.push.session.location-empty',
    'the Location of an upload is empty',
    located,
    started(() => ({ location: '' })),
  ),
  interoperability(
    'oci.push.session.location-unreadable',
    'the Location of an upload is no URI',
    located,
    started(() => ({ location: 'http://[upload' })),
  ),
  interoperability(
    'oci.push.session.location-no-slash',
    'the Location of an upload lacks its leading slash',
    ['oci.push.session.location.form', 'oci.push.session.location.query-kept'],
    started(({ headers }) => ({ location: headers.get('location')?.replace(/^\//, '') ?? null })),
    'resolves Location as RFC 3986 says, and fails',
  ),
  interoperability(
    'oci.push.session.location-state-lost',
    'the upload URL has a query, and digest= added to it is not read',
    ['oci.push.session.location.query-kept', 'oci.push.blob.put.201'],
    firstParameter,
  ),
  corruption('oci.push.session.reused', 'every upload of a repository has the same URL', unique, reused),
  corruption(
    'oci.push.session.mixed',
    'an upload is closed with the chunks of another',
    unique,
    mixed,
    'checks what it pushed',
  ),
  interoperability(
    'oci.push.session.unknown-500',
    'an unknown upload answers 500',
    unknown,
    restatus('*', session, 404, 500),
  ),
  interoperability(
    'oci.push.session.unknown-202',
    'a chunk for an unknown upload is acknowledged',
    [...unknown, 'oci.push.session.closed.404', 'oci.push.cancel.session-gone'],
    restatus('PATCH', session, 404, 202),
  ),
  interoperability(
    'oci.push.session.unknown-204',
    'the status of an unknown upload answers 204',
    [...unknown, 'oci.push.session.closed.404', 'oci.push.cancel.session-gone'],
    restatus('GET', session, 404, 204),
  ),
  corruption(
    'oci.push.session.unknown-201',
    'closing an unknown upload answers 201',
    [
      'oci.push.cancel.session-gone',
      ...unknown,
      'oci.push.session.closed.404',
      'oci.push.session.repo-bound',
    ],
    restatus('PUT', session, 404, 201),
  ),
  corruption(
    'oci.push.session.never-closed',
    'an upload goes on after it was closed',
    ['oci.push.session.closed.404'],
    storing('blobs', (blobs) => ({ record: (name, { upload, ...blob }) => blobs.record(name, blob) })),
  ),
  security(
    'oci.push.session.not-bound',
    'an upload can be closed in another repository',
    ['oci.push.session.repo-bound'],
    unbound,
  ),
  corruption(
    'oci.push.session.same-digest-races',
    'of parallel uploads of one blob only the first succeeds',
    ['oci.push.session.concurrent-same-digest'],
    {
      stores: ({ blobs, ...rest }) => {
        const taken = new Set<string>()
        return {
          ...rest,
          blobs: {
            ...blobs,
            async record(name, blob) {
              const key = `${name} ${blob.digest}`
              if (taken.has(key)) return 'gone'
              taken.add(key)
              return blobs.record(name, blob)
            },
          },
        }
      },
    },
    'looks with HEAD whether another upload was faster',
  ),
  interoperability(
    'oci.push.status.200',
    'the status of an upload answers 200',
    status204,
    restatus('GET', session, 204, 200),
  ),
  interoperability(
    'oci.push.status.404',
    'the status of an upload answers 404',
    status204,
    restatus('GET', session, 204, 404),
  ),
  interoperability(
    'oci.push.status.405',
    'the status of an upload cannot be asked for',
    status204,
    restatus('GET', session, 204, 405),
  ),
  interoperability(
    'oci.push.status.no-location',
    'the status of an upload has no Location',
    ['oci.push.status.location'],
    told(() => ({ location: null })),
  ),
  interoperability(
    'oci.push.status.location-other',
    'the Location in the status of an upload is that of another',
    ['oci.push.status.location'],
    told(({ headers }) => ({ location: `${headers.get('location')}0` })),
  ),
  interoperability(
    'oci.push.status.no-range',
    'the status of an upload has no Range',
    statusRange,
    told(() => ({ range: null })),
  ),
  interoperability(
    'oci.push.status.range-unit',
    'Range in the status of an upload has a unit',
    statusRange,
    told((response) => ({ range: `bytes=${rangeOf(response)}` })),
  ),
  corruption(
    'oci.push.status.range-exclusive',
    'Range in the status of an upload ends one byte too late',
    statusRange,
    told((response) => ({ range: `0-${Number(rangeOf(response).slice(2)) + 1}` })),
    'begins again when a chunk after the status is refused',
  ),
  corruption(
    'oci.push.status.range-stale',
    'Range in the status of an upload is always 0-0',
    [...statusRange, 'oci.push.chunked.patch.416-no-side-effect'],
    told(() => ({ range: '0-0' })),
  ),
  interoperability(
    'oci.push.status.fresh-spoilt',
    'an upload that was asked for its status before its first byte takes none',
    ['oci.push.status.fresh-session'],
    spoilt,
  ),
  interoperability(
    'oci.push.cancel.202',
    'cancelling an upload answers 202',
    ['oci.push.cancel.204'],
    restatus('DELETE', session, 204, 202),
  ),
  corruption(
    'oci.push.cancel.lives-on',
    'a cancelled upload goes on',
    gone,
    storing('uploads', (sessions) => ({
      cancel: async (name, id) => (await sessions.find(name, id)) !== undefined,
    })),
  ),
  corruption(
    'oci.push.cancel.removes-blob',
    'cancelling an upload removes the blob that was last pushed',
    gone,
    {
      stores: ({ blobs, uploads: sessions, ...rest }) => {
        const last = new Map<string, string>()
        return {
          ...rest,
          blobs: {
            ...blobs,
            record(name, blob) {
              last.set(name, blob.digest)
              return blobs.record(name, blob)
            },
          },
          uploads: {
            ...sessions,
            async cancel(name, id) {
              await blobs.remove(name, last.get(name) ?? '')
              return sessions.cancel(name, id)
            },
          },
        }
      },
    },
  ),
  interoperability(
    'oci.push.cancel.unknown-204',
    'cancelling an unknown upload answers 204',
    ['oci.push.cancel.unknown'],
    restatus('DELETE', session, 404, 204),
  ),
  interoperability(
    'oci.push.cancel.unknown-500',
    'cancelling an unknown upload answers 500',
    ['oci.push.cancel.unknown'],
    {
      registry: rewriting(
        to('DELETE', session),
        having(404, (response) => withStatus(response, 500)),
      ),
    },
  ),
]
