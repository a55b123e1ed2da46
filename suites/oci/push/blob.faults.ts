import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, to, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { heading, misread, restatus, storing, withQuery } from '../seams.faults.ts'
import { errorAnswer, having, path, setting, sha256, type Wire } from '../wire.ts'
import { unchecked } from './unchecked.faults.ts'
import { session, uploading } from './upload-wire.ts'

const { corruption, interoperability, cosmetic } = faultKinds<Seams>()

const mismatch = ['oci.push.blob.digest-mismatch.rejected']
const other = `sha256:${'0'.repeat(64)}`
const digestHeader = 'docker-content-digest'
const mebibyte = 1 << 20
const emptyDigest = sha256('')

const digestOf = ({ url }: Request) => new URL(url).searchParams.get('digest') ?? ''
const wellFormed = /^[a-z0-9]+:[0-9a-f]{32,}$/
const badlyNamed = (request: Request) =>
  to('*', uploading)(request) && digestOf(request) !== '' && !/^sha(256|512):/.test(digestOf(request))
const malformed = (request: Request) =>
  to('*', uploading)(request) && digestOf(request) !== '' && !wellFormed.test(digestOf(request))
const wellNamed = (request: Request) =>
  to('*', uploading)(request) && digestOf(request) !== '' && !badlyNamed(request) && !malformed(request)

/** Answers refusals (400) of some requests with another status. */
const refusedWith = (when: (request: Request) => boolean, status: number): Seams => ({
  registry: rewriting(
    when,
    having(400, (response) => withStatus(response, status)),
  ),
})

/** Takes what came of a body that broke off for the whole. */
const tolerant: Seams = {
  registry:
    (next: Wire): Wire =>
    async (request, context) => {
      const { req } = context
      if (!to('PUT', session)(request) || !req) return next(request, context)
      const parts: Uint8Array[] = []
      try {
        for await (const part of req) parts.push(part)
      } catch {}
      const headers = new Headers(request.headers)
      headers.set('content-length', String(parts.reduce((sum, { length }) => sum + length, 0)))
      return next(new Request(request.url, { method: 'PUT', headers, body: Buffer.concat(parts) }), {})
    },
}

/** Runs into the record of the blob that has the digest, and does not expect it. */
const conflicting: Seams = {
  registry: (next) => {
    const known = new Set<string>()
    return rewriting(to('*', uploading), (response, request) => {
      const digest = digestOf(request)
      if (response.status === 201) known.add(digest)
      return response.status === 400 && known.has(digest) ? withStatus(response, 500) : response
    })(next)
  },
}

const acknowledged = () => new Response(null, { status: 201, headers: { location: '/v2/' } })

const unnamed = (request: Request) => to('PUT', session)(request) && digestOf(request) === ''

const conflict = storing('blobs', (blobs) => ({
  record: async (name, blob) =>
    (await blobs.find(name, blob.digest)) ? 'gone' : await blobs.record(name, blob),
}))

export const faults = [
  corruption(
    'oci.push.blob.digest-unchecked',
    'a blob is taken whatever its digest is',
    [
      'service.integrity.computed',
      ...mismatch,
      'oci.push.blob.digest-mismatch.400',
      'oci.push.blob.digest-mismatch.not-stored',
      'oci.push.blob.post-single.mismatch',
    ],
    unchecked(() => true),
    'reads back what it pushed, and checks it',
  ),
  corruption(
    'oci.push.blob.digest-unchecked-in-chunks',
    'the digest of what came in chunks is not checked',
    [...mismatch, 'oci.push.chunked.put.incomplete', 'oci.push.chunked.put.digest-whole'],
    unchecked(({ chunked }) => chunked),
  ),
  corruption(
    'oci.push.blob.digest-unchecked-over-1mib',
    'the digest of a blob over 1 MiB is not checked',
    [...mismatch, 'service.integrity.computed'],
    unchecked(({ size }) => size > mebibyte),
  ),
  corruption(
    'oci.push.blob.digest-refused-yet-stored',
    'content of another digest is refused, and served under the digest that was named where nothing was',
    [
      'service.integrity.computed',
      'oci.push.blob.digest-mismatch.not-stored',
      'oci.push.blob.post-single.mismatch',
      'oci.push.chunked.put.digest-whole',
    ],
    unchecked(({ known }) => !known, { refused: true }),
  ),
  corruption(
    'oci.push.blob.digest-refused-yet-kept',
    'content of another digest is refused, and served under its own',
    ['oci.push.blob.post-single.mismatch', 'oci.push.chunked.put.digest-whole'],
    unchecked(() => true, { refused: true, under: 'own' }),
  ),
  corruption(
    'oci.push.blob.digest-mismatch-acknowledged',
    'content of another digest that comes in one piece of up to 1 MiB is acknowledged, and thrown away',
    [...mismatch, 'oci.push.blob.post-single.mismatch', 'oci.push.chunked.put.digest-whole'],
    {
      registry: rewriting(
        withQuery('*', uploading, 'digest'),
        having(400, (response, { headers }) => {
          const length = Number(headers.get('content-length') ?? 0)
          return length > 0 && length <= mebibyte ? acknowledged() : response
        }),
      ),
    },
    'looks with HEAD for what it pushed',
  ),
  interoperability(
    'oci.push.blob.digest-known-500',
    'other content under the digest of a blob that is there answers 500',
    [...mismatch, 'oci.push.blob.post-single.mismatch'],
    conflicting,
  ),
  interoperability(
    'oci.push.blob.digest-mismatch-500',
    'content of another digest answers 500',
    [...mismatch, 'oci.push.blob.digest-mismatch.400'],
    refusedWith(wellNamed, 500),
  ),
  interoperability(
    'oci.push.blob.digest-mismatch-422',
    'content of another digest answers 422',
    ['oci.push.blob.digest-mismatch.400'],
    refusedWith(wellNamed, 422),
  ),
  interoperability(
    'oci.push.blob.digest-invalid-500',
    'a digest that breaks the grammar answers 500',
    ['oci.push.blob.digest-invalid.400'],
    refusedWith(malformed, 500),
  ),
  interoperability(
    'oci.push.blob.digest-capitals',
    'a digest in capitals is taken for one in small letters',
    ['oci.push.blob.digest-invalid.400'],
    {
      registry: misread(withQuery('*', uploading, 'digest'), ({ url }) => {
        url.searchParams.set('digest', url.searchParams.get('digest')?.toLowerCase() ?? '')
        return { url }
      }),
    },
  ),
  interoperability(
    'oci.push.blob.algorithm-unsupported-500',
    'a digest of an algorithm that nobody has answers 500',
    ['oci.push.blob.digest-algorithm-unsupported.400'],
    refusedWith(badlyNamed, 500),
  ),
  corruption(
    'oci.push.blob.algorithm-unsupported-taken',
    'a blob is taken under a digest of an algorithm that nobody has',
    ['oci.push.blob.digest-algorithm-unsupported.400'],
    unchecked(({ digest }) => !/^sha(256|512):/.test(digest)),
  ),
  corruption(
    'oci.push.blob.sha512-other-bytes',
    'a blob comes back under its sha512 digest without its last byte',
    ['oci.push.blob.sha512'],
    {
      registry: rewriting(
        to('GET', /\/blobs\/sha512:/),
        having(200, async (response) => {
          const bytes = new Uint8Array(await response.arrayBuffer())
          return new Response(bytes.subarray(0, -1), {
            headers: { 'content-type': 'application/octet-stream' },
          })
        }),
      ),
    },
  ),
  interoperability(
    'oci.push.blob.sha512-wrong-header',
    'a blob under its sha512 digest is said to have another digest',
    ['oci.push.blob.sha512'],
    { registry: setting('GET', /\/blobs\/sha512:/, { [digestHeader]: `sha512:${'0'.repeat(128)}` }) },
  ),
  interoperability(
    'oci.push.blob.put-200',
    'the PUT that completes an upload answers 200',
    [
      'oci.push.chunked.post.content-length-0',
      'oci.push.session.location.query-kept',
      'oci.push.session.location.form',
      'oci.push.chunked.min-length.final-any',
      'oci.push.chunked.put.final-chunk.201',
      'oci.push.status.location',
      'oci.push.status.fresh-session',
      'oci.push.session.survives-instances',
      'oci.push.chunked.patch.location',
      'oci.push.blob.put.empty-blob',
      'oci.push.session.concurrent-same-digest',
      'oci.push.chunked.patch.416-no-side-effect',
      'oci.push.chunked.patch.stream',
      'oci.push.blob.put.large',
      'service.upload.uuid',
      'oci.push.blob.put.201',
      'oci.push.chunked.put.close.201',
    ],
    restatus('PUT', session, 201, 200),
    'takes any 2xx as success, then looks with HEAD',
  ),
  interoperability(
    'oci.push.blob.put-204',
    'the PUT that completes an upload answers 204',
    ['oci.push.blob.put.201', 'oci.push.chunked.put.final-chunk.201'],
    restatus('PUT', session, 201, 204),
  ),
  corruption(
    'oci.push.blob.put-forgotten',
    'a blob is acknowledged and not recorded',
    [
      'oci.push.blob.put.201',
      'oci.push.blob.put.location-pullable',
      'oci.push.blob.put.repush',
      'oci.push.chunked.patch.stream',
      'oci.push.session.location.unique',
    ],
    storing('blobs', () => ({ record: () => Promise.resolve('recorded' as const) })),
    'looks with HEAD for what it pushed',
  ),
  interoperability(
    'oci.push.blob.put-no-location',
    'the 201 to an upload has no Location',
    ['oci.push.blob.put.location', 'oci.push.chunked.put.close.201'],
    heading('PUT', session, 201, () => ({ location: null })),
    'builds the URL from repository and digest',
  ),
  interoperability(
    'oci.push.blob.put-location-empty',
    'the Location of the 201 to an upload is empty',
    ['oci.push.blob.put.location'],
    heading('PUT', session, 201, () => ({ location: '' })),
  ),
  interoperability(
    'oci.push.blob.put-location-session',
    'the Location of the 201 to an upload is the session that was closed',
    ['oci.push.blob.put.location-pullable', 'oci.push.chunked.put.location-pullable'],
    heading('PUT', session, 201, (_, { url }) => ({ location: new URL(url).pathname })),
  ),
  interoperability(
    'oci.push.blob.put-location-without-v2',
    'the Location of the 201 to an upload lacks /v2',
    ['oci.push.blob.put.location-pullable', 'oci.push.chunked.put.location-pullable'],
    heading('PUT', session, 201, ({ headers }) => ({
      location: headers.get('location')?.replace(/^\/v2/, '') ?? null,
    })),
  ),
  cosmetic(
    'oci.push.blob.put-digest-other',
    'the 201 to an upload names another digest',
    ['oci.push.blob.put.digest-header'],
    heading('PUT', session, 201, () => ({ [digestHeader]: other })),
  ),
  cosmetic(
    'oci.push.blob.put-digest-quoted',
    'the 201 to an upload names the digest in quotes',
    ['oci.push.blob.put.digest-header'],
    heading('PUT', session, 201, ({ headers }) => ({ [digestHeader]: `"${headers.get(digestHeader)}"` })),
  ),
  interoperability(
    'oci.push.blob.repush-refused',
    'a blob that is there cannot be uploaded again',
    ['oci.push.blob.put.repush', 'oci.push.session.concurrent-same-digest', 'service.instances.blob-race'],
    conflict,
    'asks with HEAD before it pushes',
  ),
  corruption(
    'oci.push.blob.repush-lost',
    'a blob that is uploaded again is lost',
    ['oci.push.blob.put.repush'],
    storing('blobs', (blobs) => ({
      async record(name, blob) {
        const known = await blobs.find(name, blob.digest)
        const outcome = await blobs.record(name, blob)
        if (known) await blobs.remove(name, blob.digest)
        return outcome
      },
    })),
  ),
  interoperability(
    'oci.push.blob.empty-refused',
    'a blob of no bytes is refused',
    ['oci.push.blob.put.empty-blob'],
    {
      registry: answering(
        (request) => to('PUT', session)(request) && digestOf(request) === emptyDigest,
        () => errorAnswer(400, 'SIZE_INVALID'),
      ),
    },
  ),
  corruption(
    'oci.push.blob.empty-forgotten',
    'a blob of no bytes is not recorded',
    ['oci.push.blob.put.empty-blob'],
    storing('blobs', (blobs) => ({
      find: async (name, digest) => (digest === emptyDigest ? undefined : await blobs.find(name, digest)),
    })),
  ),
  corruption(
    'oci.push.blob.short-body-taken',
    'what came of a body that broke off is taken for the whole',
    ['oci.push.blob.put.short-body'],
    tolerant,
    'reads back what it pushed after a broken connection',
  ),
  corruption(
    'oci.push.blob.digest-missing-taken',
    'an upload that is closed without a digest answers 201 and names none',
    ['oci.push.blob.put.digest-missing'],
    {
      registry: rewriting(unnamed, () => new Response(null, { status: 201 })),
    },
  ),
  corruption(
    'oci.push.blob.digest-missing-kept',
    'an upload that is closed without a digest is refused, and kept under its own',
    ['oci.push.blob.put.digest-missing'],
    {
      registry: (next) =>
        rewriting(unnamed, () => errorAnswer(400, 'DIGEST_INVALID'))(
          misread(unnamed, ({ url, body }) => {
            url.searchParams.set('digest', sha256(body))
            return { url }
          })(next),
        ),
    },
  ),
  interoperability(
    'oci.push.blob.digest-missing-500',
    'an upload that is closed without a digest answers 500',
    ['oci.push.blob.put.digest-missing'],
    refusedWith(unnamed, 500),
  ),
  interoperability(
    'oci.push.blob.found-late',
    'the blob that was just pushed is at first not found',
    ['oci.push.blob.put.201', 'oci.push.blob.post-single.location'],
    {
      registry: (next) => {
        const seen = new Set<string>()
        return rewriting(
          to('GET', path.blob),
          having(200, (response, { url }) => {
            if (seen.has(url)) return response
            seen.add(url)
            return withStatus(response, 404)
          }),
        )(next)
      },
    },
    'tries again a little later',
  ),
  corruption(
    'oci.push.blob.digest-corrected',
    'content of another digest is acknowledged, and kept under its own',
    ['oci.push.blob.digest-mismatch.rejected', 'service.integrity.computed'],
    {
      registry: misread(withQuery('PUT', session, 'digest'), ({ url, body }) => {
        url.searchParams.set('digest', sha256(body))
        return { url }
      }),
    },
    'looks with HEAD under the digest that it knows',
  ),
]
