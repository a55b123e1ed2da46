import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, rewriting, to, withBody, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { errorAnswer, having, path, type Wire } from './wire.ts'

const { security, interoperability, cosmetic } = faultKinds<Seams>()

interface ErrorBody {
  readonly errors: readonly { readonly code: string; readonly message?: unknown; readonly detail?: unknown }[]
}

/** Changes refusals (4xx) that have a JSON body. */
const refusals = (change: (response: Response, request: Request) => Response | Promise<Response>) => ({
  registry: rewriting(to('*', /\/v2\//), async (response, request) => {
    const refused = response.status >= 400 && response.status < 500
    const inJson = refused && (await response.clone().text()).startsWith('{')
    return inJson ? change(response, request) : response
  }),
})

const bodies = (change: (body: ErrorBody, request: Request) => unknown) =>
  refusals((response, request) =>
    withBody(response, (bytes) => JSON.stringify(change(JSON.parse(Buffer.from(bytes).toString()), request))),
  )

const codes = (change: (code: string) => string) =>
  bodies(({ errors }) => ({ errors: errors.map((error) => ({ ...error, code: change(error.code) })) }))
const recoded = (from: string, code: string) => codes((given) => (given === from ? code : given))
const messages = (message: unknown) =>
  bodies(({ errors }) => ({ errors: errors.map((error) => ({ ...error, message })) }))

/** Answers every other GET of a blob with 429. */
const throttling = (code: string, headers: Readonly<Record<string, string>>) => ({
  registry: (next: Wire): Wire => {
    let asked = 0
    return (request, context) => {
      if (!to('GET', path.blob)(request)) return next(request, context)
      asked += 1
      return asked % 2 === 0 ? errorAnswer(429, code, headers) : next(request, context)
    }
  },
})

const shape = ['oci.error.json-shape']
const secrets = ['oci.error.no-secrets']

export const faults = [
  interoperability(
    'oci.error.shape-single',
    'an error is told in a member error',
    shape,
    bodies(({ errors }) => ({ error: errors[0] })),
  ),
  interoperability(
    'oci.error.shape-bare',
    'errors come as a bare array',
    shape,
    bodies(({ errors }) => errors),
  ),
  interoperability(
    'oci.error.shape-empty',
    'the list of errors is empty',
    shape,
    bodies(() => ({ errors: [] })),
  ),
  interoperability(
    'oci.error.shape-strings',
    'errors are strings',
    shape,
    bodies(({ errors }) => ({ errors: errors.map(({ code }) => code) })),
  ),
  interoperability(
    'oci.error.shape-no-code',
    'an error has no code',
    shape,
    bodies(({ errors }) => ({ errors: errors.map(({ message }) => ({ message })) })),
  ),
  interoperability(
    'oci.error.shape-object',
    'errors are an object by code',
    shape,
    bodies(({ errors }) => ({
      errors: Object.fromEntries(errors.map(({ code, message }) => [code, message])),
    })),
  ),
  interoperability(
    'oci.error.shape-detail',
    'an error with a detail has lost its code',
    ['oci.error.detail', ...shape],
    bodies(({ errors }) => ({ errors: errors.map(({ detail }) => ({ detail: detail ?? null })) })),
  ),
  cosmetic(
    'oci.error.content-type-text',
    'errors in JSON go under text/plain',
    ['oci.error.content-type'],
    refusals((response) => withHeaders(response, { 'content-type': 'text/plain; charset=utf-8' })),
  ),
  cosmetic(
    'oci.error.content-type-none',
    'errors in JSON have no Content-Type',
    ['oci.error.content-type'],
    refusals((response) => withHeaders(response, { 'content-type': null })),
  ),
  interoperability(
    'oci.error.code-small',
    'codes are in small letters',
    ['oci.error.code-format', 'oci.error.code-registered'],
    codes((code) => code.toLowerCase()),
  ),
  interoperability(
    'oci.error.code-hyphens',
    'codes have hyphens',
    ['oci.error.code-format'],
    codes((code) => code.replaceAll('_', '-')),
  ),
  interoperability(
    'oci.error.code-number',
    'codes end in the status',
    ['oci.error.code-format'],
    codes((code) => `${code}_404`),
  ),
  interoperability(
    'oci.error.code-vendor',
    'a code of our own tells that a repository is unknown',
    ['oci.error.code-registered', 'oci.error.code-09.name-unknown'],
    recoded('NAME_UNKNOWN', 'REPOSITORY_NOT_FOUND'),
  ),
  interoperability(
    'oci.error.code-of-blob',
    'a pull from an unknown repository has the code BLOB_UNKNOWN',
    ['oci.error.code-09.name-unknown'],
    {
      registry: rewriting(
        to('GET', path.manifest),
        having(404, () => errorAnswer(404, 'BLOB_UNKNOWN')),
      ),
    },
  ),
  interoperability(
    'oci.error.code-unknown',
    'a refused digest has the code UNKNOWN',
    ['oci.error.code-registered', 'oci.error.code-04.digest-invalid'],
    recoded('DIGEST_INVALID', 'UNKNOWN'),
  ),
  interoperability(
    'oci.error.code-range',
    'a range past the end has a code of its own',
    ['oci.error.code-registered'],
    {
      registry: rewriting(to('GET', path.blob), (response) =>
        response.status === 416 ? errorAnswer(416, 'REQUESTED_RANGE_NOT_SATISFIABLE') : response,
      ),
    },
  ),
  cosmetic(
    'oci.error.message-object',
    'a message is an object',
    ['oci.error.message'],
    messages({ text: 'not found' }),
  ),
  cosmetic('oci.error.message-null', 'a message is null', ['oci.error.message'], messages(null)),
  security(
    'oci.error.echoes-token',
    'an error repeats the token that was sent',
    secrets,
    bodies((body, request) => ({ ...body, request: request.headers.get('authorization') })),
  ),
  security(
    'oci.error.stack-trace',
    'an error shows a stack trace',
    secrets,
    bodies((body) => ({ ...body, stack: 'Error: unknown\n    at find (/srv/registry/blobs.js:12:7)' })),
  ),
  security(
    'oci.error.go-trace',
    'an error shows a stack trace of Go',
    secrets,
    messages('panic: goroutine 17 [running]: main.go:12'),
  ),
  security(
    'oci.error.database-address',
    'an error shows where the database is',
    secrets,
    messages('connect postgres://registry@postgres:5432/open_registry'),
  ),
  security(
    'oci.error.storage-address',
    'an error shows where the storage node is',
    secrets,
    messages('Post "http://ipfs:5001/api/v0/cat": not found'),
  ),
  interoperability(
    'oci.error.code-01-other',
    'an unknown blob has the code of an unknown manifest',
    ['oci.error.code-01.blob-unknown'],
    recoded('BLOB_UNKNOWN', 'MANIFEST_UNKNOWN'),
  ),
  interoperability(
    'oci.error.code-01-delete',
    'DELETE of an unknown blob has another code',
    ['oci.error.code-01.blob-unknown'],
    {
      registry: rewriting(
        to('DELETE', path.blob),
        having(404, () => errorAnswer(404, 'MANIFEST_UNKNOWN')),
      ),
    },
  ),
  interoperability(
    'oci.error.code-02-other',
    'a chunk out of order has the code of a bad digest',
    ['oci.error.code-02.blob-upload-invalid'],
    recoded('BLOB_UPLOAD_INVALID', 'DIGEST_INVALID'),
  ),
  interoperability(
    'oci.error.code-03-other',
    'an unknown upload has the code of an unknown blob',
    ['oci.error.code-03.blob-upload-unknown'],
    recoded('BLOB_UPLOAD_UNKNOWN', 'BLOB_UNKNOWN'),
  ),
  interoperability(
    'oci.error.code-04-other',
    'a bad digest has the code of a bad upload',
    ['oci.error.code-04.digest-invalid'],
    recoded('DIGEST_INVALID', 'BLOB_UPLOAD_INVALID'),
  ),
  interoperability(
    'oci.error.code-06-other',
    'a bad manifest has the code of an unknown one',
    ['oci.error.code-06.manifest-invalid'],
    recoded('MANIFEST_INVALID', 'MANIFEST_UNKNOWN'),
  ),
  interoperability(
    'oci.error.code-07-other',
    'an unknown manifest has the code of an unknown blob',
    ['oci.error.code-07.manifest-unknown'],
    recoded('MANIFEST_UNKNOWN', 'BLOB_UNKNOWN'),
  ),
  interoperability(
    'oci.error.code-08-other',
    'a bad name has the code of a bad tag',
    ['oci.error.code-08.name-invalid'],
    recoded('NAME_INVALID', 'TAG_INVALID'),
  ),
  interoperability(
    'oci.error.code-09-other',
    'the tags of an unknown repository have the code of an unknown manifest',
    ['oci.error.code-09.name-unknown'],
    recoded('NAME_UNKNOWN', 'MANIFEST_UNKNOWN'),
  ),
  interoperability(
    'oci.error.code-10-other',
    'a wrong size has the code of a bad digest',
    ['oci.error.code-10.size-invalid'],
    recoded('SIZE_INVALID', 'DIGEST_INVALID'),
  ),
  interoperability(
    'oci.error.code-11-other',
    'a request without a token has the code DENIED',
    ['oci.error.code-11.unauthorized'],
    recoded('UNAUTHORIZED', 'DENIED'),
  ),
  interoperability(
    'oci.error.code-12-other',
    'a request that is not allowed has the code UNAUTHORIZED',
    ['oci.error.code-12.denied'],
    recoded('DENIED', 'UNAUTHORIZED'),
  ),
  interoperability(
    'oci.error.code-13-other',
    'deletes that are switched off have the code DENIED',
    ['oci.error.code-13.unsupported'],
    {
      registry: answering(to('DELETE', /\/(?:manifests|blobs)\/[^/]+$/), () =>
        errorAnswer(405, 'DENIED', { allow: 'GET' }),
      ),
    },
  ),
  interoperability(
    'oci.error.code-14-other',
    'a 429 has the code DENIED',
    ['oci.error.code-14.toomanyrequests'],
    throttling('DENIED', { 'retry-after': '1' }),
  ),
  interoperability(
    'oci.error.429-without-retry-after',
    'a 429 does not tell when to come again',
    ['oci.error.429.retry-after'],
    throttling('TOOMANYREQUESTS', {}),
    'waits longer each time',
  ),
  interoperability(
    'oci.error.429-retry-after-words',
    'Retry-After is a duration in words',
    ['oci.error.429.retry-after'],
    throttling('TOOMANYREQUESTS', { 'retry-after': '1s' }),
  ),
]
