import { gzipSync } from 'node:zlib'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, to, withBody, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { changing, errorAnswer, having, path, setting, sha256, unknownIs, type Wire } from '../wire.ts'

const { corruption, interoperability, security } = faultKinds<Seams>()
const { blob } = path
const digestHeader = 'docker-content-digest'
const mebibyte = 1024 * 1024
const computes = 'hashes what it received and compares with the digest that it asked for'

const exact = ['oci.pull.blob.get.bytes-exact']

/** Changes the bytes of pulled blobs. */
const content = (change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>) =>
  changing('GET', blob, (response) => withBody(response, change))

function flipped(bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice()
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** Remembers what was pushed anywhere, and finds it everywhere. */
const everywhere =
  (method: string) =>
  (next: Wire): Wire => {
    const known = new Set<string>()
    const pushed = rewriting(to('PUT', /\/blobs\/uploads\//), (response) => {
      known.add(response.headers.get(digestHeader) ?? '')
      return response
    })
    const find = having(404, (response, request) =>
      known.has(request.url.replace(/.*\//, '')) ? new Response(null, { status: 200 }) : response,
    )
    return rewriting(to(method, blob), find)(pushed(next))
  }

export const faults = [
  interoperability(
    'oci.pull.blob.get.203',
    'GET of a blob answers 203',
    ['oci.push.blob.put.large', 'oci.pull.blob.get.200', ...exact],
    {
      registry: changing('GET', blob, (response) => withStatus(response, 203)),
    },
  ),
  corruption(
    'oci.pull.blob.get.empty-body',
    'GET of a blob answers 200 without the blob',
    ['oci.pull.blob.get.200'],
    {
      registry: content(() => new Uint8Array()),
    },
    computes,
  ),
  corruption(
    'oci.pull.blob.get.last-byte',
    'the last byte of a blob is lost',
    ['oci.pull.blob.get.200', ...exact],
    {
      registry: content((bytes) => bytes.slice(0, -1)),
    },
    computes,
  ),
  corruption(
    'oci.pull.blob.get.flipped',
    'one bit of a blob is wrong',
    [
      'oci.push.chunked.post.content-length-0',
      'oci.push.chunked.patch.location',
      'oci.push.chunked.min-length.final-any',
      'oci.push.chunked.put.final-chunk.201',
      'oci.push.chunked.put.close.201',
      'oci.push.session.location.form',
      'oci.push.chunked.digest-algorithm',
      'oci.push.session.location.query-kept',
      'oci.push.session.concurrent-same-digest',
      'oci.push.chunked.patch.416-no-side-effect',
      'oci.push.status.location',
      'oci.push.status.fresh-session',
      'oci.push.session.closed.404',
      'oci.push.session.survives-instances',
      'oci.push.session.repo-bound',
      'oci.push.session.unknown.404',
      'oci.push.blob.post-single.mismatch',
      'oci.push.blob.digest-invalid.400',
      'oci.pull.blob.get.200',
      'oci.pull.blob.get.digest-header.true',
    ],
    {
      registry: content((bytes) => flipped(bytes, bytes.length >> 1)),
    },
    computes,
  ),
  corruption(
    'oci.pull.blob.get.flipped-when-large',
    'one bit is wrong in blobs over 1 MiB',
    exact,
    {
      registry: content((bytes) => (bytes.length > mebibyte ? flipped(bytes, mebibyte) : bytes)),
    },
    computes,
  ),
  corruption(
    'oci.pull.blob.get.cut-at-16-mib',
    'blobs end at 16 MiB',
    [...exact, 'oci.push.blob.put.large'],
    {
      registry: content((bytes) => bytes.slice(0, 16 * mebibyte)),
    },
    computes,
  ),
  corruption(
    'oci.pull.blob.get.swapped',
    'a blob of the same size is served for another',
    ['oci.pull.blob.get.200', 'oci.pull.blob.get.digest-header.true'],
    {
      registry: content((bytes) => bytes.slice().reverse()),
    },
    computes,
  ),
  corruption(
    'oci.pull.blob.get.trailing-zeros',
    'zero bytes at the end of a blob are taken for padding',
    exact,
    {
      registry: content((bytes) => bytes.slice(0, bytes.findLastIndex((byte) => byte !== 0) + 1)),
    },
    computes,
  ),
  corruption(
    'oci.pull.blob.get.as-text',
    'blobs are read as UTF-8',
    ['oci.pull.blob.get.200'],
    {
      registry: changing('GET', blob, (response) =>
        withBody(response, (bytes) => Buffer.from(bytes).toString('utf8')),
      ),
    },
    computes,
  ),
  corruption(
    'oci.pull.blob.get.compressed',
    'blobs are compressed on the way for a client that accepts it',
    exact,
    {
      registry: changing('GET', blob, async (response, request) => {
        if (!request.headers.get('accept-encoding')?.includes('gzip')) return response
        const coded = await withBody(response, (bytes) => new Uint8Array(gzipSync(bytes, { level: 1 })))
        return withHeaders(coded, { 'content-encoding': 'gzip' })
      }),
    },
    'sends Accept-Encoding: identity',
  ),
  interoperability(
    'oci.pull.blob.get.labelled-gzip',
    'a gzip layer is labelled as a transfer that is compressed',
    exact,
    {
      registry: changing('GET', blob, async (response) => {
        const [first, second] = new Uint8Array(await response.clone().arrayBuffer())
        return first === 0x1f && second === 0x8b
          ? withHeaders(response, { 'content-encoding': 'gzip' })
          : response
      }),
    },
    'does not decode what it pulls',
  ),
  interoperability(
    'oci.pull.blob.get.no-digest',
    'GET of a blob does not tell its digest',
    ['oci.pull.blob.get.digest-header.present'],
    {
      registry: setting('GET', blob, { [digestHeader]: null }),
    },
  ),
  corruption(
    'oci.pull.blob.get.digest-of-nothing',
    'Docker-Content-Digest of a blob is that of no bytes',
    ['oci.pull.blob.get.digest-header.true'],
    {
      registry: setting('GET', blob, { [digestHeader]: sha256('') }),
    },
    computes,
  ),
  interoperability(
    'oci.pull.blob.get.digest-in-capitals',
    'Docker-Content-Digest of a blob is in capitals',
    ['oci.pull.blob.get.digest-header.true'],
    {
      registry: changing('GET', blob, (response) =>
        withHeaders(response, { [digestHeader]: response.headers.get(digestHeader)?.toUpperCase() ?? null }),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.get.unknown-500',
    'an unknown blob answers 500',
    ['oci.pull.blob.get.unknown.404'],
    { registry: unknownIs('GET', blob, 500) },
  ),
  interoperability(
    'oci.pull.blob.get.unknown-200',
    'an unknown blob answers 200 with an error in the body',
    ['oci.pull.blob.get.unknown.404'],
    { registry: unknownIs('GET', blob, 200) },
  ),
  interoperability(
    'oci.pull.blob.get.unknown-410',
    'an unknown blob answers 410',
    ['oci.pull.blob.get.unknown.404'],
    { registry: unknownIs('GET', blob, 410) },
  ),
  security(
    'oci.pull.blob.get.everywhere',
    'a blob of one repository is found in all',
    ['oci.pull.blob.get.other-repo.404'],
    { registry: everywhere('GET') },
  ),
  security(
    'oci.pull.blob.get.everywhere-for-head',
    'HEAD finds the blobs of every repository, and GET does not',
    ['oci.pull.blob.get.other-repo.404'],
    { registry: everywhere('HEAD') },
    'pushes the blob when a manifest that names it is refused',
  ),
  interoperability(
    'oci.pull.blob.get.malformed-500',
    'a malformed digest of a blob answers 500',
    ['oci.pull.blob.get.malformed-digest.4xx'],
    {
      registry: rewriting(
        to('GET', blob),
        having(400, (response) => withStatus(response, 500)),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.get.malformed-200',
    'a malformed digest of a blob answers 200',
    ['oci.pull.blob.get.malformed-digest.4xx'],
    {
      registry: rewriting(
        to('GET', /\/blobs\/[^/]+$/),
        having(400, (response) => withStatus(response, 200)),
      ),
    },
  ),
  interoperability(
    'oci.pull.blob.get.malformed-501',
    'a digest of an unknown algorithm answers 501',
    ['oci.pull.blob.get.malformed-digest.4xx'],
    {
      registry: rewriting(to('GET', /\/blobs\/md5:/), (response) => withStatus(response, 501)),
    },
  ),
  interoperability(
    'oci.pull.blob.get.empty-204',
    'a blob of no bytes answers 204',
    ['oci.pull.blob.get.empty-blob'],
    {
      registry: changing('GET', blob, (response) =>
        response.headers.get('content-length') === '0' ? withStatus(response, 204) : response,
      ),
    },
  ),
  corruption(
    'oci.pull.blob.get.empty-404',
    'a blob of no bytes is not found',
    ['oci.pull.blob.get.empty-blob'],
    {
      registry: changing('GET', blob, (response) =>
        response.headers.get('content-length') === '0' ? errorAnswer(404, 'BLOB_UNKNOWN') : response,
      ),
    },
  ),
  corruption(
    'oci.pull.blob.get.empty-json',
    'a blob of no bytes comes back as an empty object',
    ['oci.pull.blob.get.empty-blob'],
    {
      registry: content((bytes) => (bytes.length === 0 ? Uint8Array.of(0x7b, 0x7d) : bytes)),
    },
  ),
  corruption(
    'oci.pull.blob.get.cut-short-clean',
    'a blob that storage cuts short ends as if that were all',
    ['oci.pull.blob.get.truncation-visible'],
    {
      registry: (next) => async (request, context) => {
        if (!to('GET', blob)(request)) return next(request, context)
        const answer = await next(request, {})
        const parts: Uint8Array[] = []
        const reader = answer.body?.getReader()
        for (let part = await reader?.read(); part?.value; part = await reader?.read().catch(() => undefined))
          parts.push(part.value)
        return new Response(Buffer.concat(parts), { status: answer.status === 502 ? 200 : answer.status })
      },
    },
    computes,
  ),
  interoperability('oci.pull.blob.head.405', 'HEAD of a blob answers 405', ['oci.pull.blob.head.200'], {
    registry: changing('HEAD', blob, (response) => withStatus(response, 405)),
  }),
  interoperability(
    'oci.pull.blob.head.404',
    'HEAD of a blob that is there answers 404',
    ['oci.pull.blob.head.200'],
    {
      registry: changing('HEAD', blob, (response) => withStatus(response, 404)),
    },
    'pushes the blob again',
  ),
  interoperability('oci.pull.blob.head.204', 'HEAD of a blob answers 204', ['oci.pull.blob.head.200'], {
    registry: changing('HEAD', blob, (response) => withStatus(response, 204)),
  }),
  interoperability(
    'oci.pull.blob.head.no-length',
    'HEAD of a blob does not tell its size',
    ['oci.pull.blob.head.content-length'],
    {
      registry: setting('HEAD', blob, { 'content-length': null }),
    },
  ),
  interoperability(
    'oci.pull.blob.head.no-digest',
    'HEAD of a blob does not tell its digest',
    ['oci.pull.blob.head.digest-header'],
    {
      registry: setting('HEAD', blob, { [digestHeader]: null }),
    },
  ),
  corruption(
    'oci.pull.blob.head.digest-of-another',
    'HEAD of a blob tells the digest of another',
    ['oci.pull.blob.head.digest-header.true'],
    {
      registry: setting('HEAD', blob, { [digestHeader]: sha256('another') }),
    },
  ),
  interoperability(
    'oci.pull.blob.head.digest-quoted',
    'HEAD of a blob tells its digest in quotes',
    ['oci.pull.blob.head.digest-header.true'],
    {
      registry: changing('HEAD', blob, (response) =>
        withHeaders(response, { [digestHeader]: `"${response.headers.get(digestHeader)}"` }),
      ),
    },
  ),
  corruption(
    'oci.pull.blob.head.unknown-200',
    'HEAD finds every blob',
    [
      'oci.push.chunked.put.incomplete',
      'oci.push.mount.missing-repo.202',
      'oci.push.session.closed.404',
      'oci.push.mount.missing-blob.202',
      'oci.push.session.unknown.404',
      'oci.push.session.repo-bound',
      'oci.push.cancel.session-gone',
      'oci.push.chunked.put.final-out-of-order.416',
      'oci.push.blob.put.short-body',
      'oci.push.mount.requires-source-pull',
      'oci.push.manifest.missing-blob.consistent',
      'oci.pull.blob.head.unknown.404',
      'oci.pull.blob.get.other-repo.404',
    ],
    { registry: unknownIs('HEAD', blob, 200) },
    'pushes the blob when a manifest that names it is refused',
  ),
  interoperability(
    'oci.pull.blob.head.unknown-500',
    'HEAD of an unknown blob answers 500',
    ['oci.pull.blob.head.unknown.404'],
    { registry: unknownIs('HEAD', blob, 500) },
  ),
  interoperability(
    'oci.pull.blob.head.unknown-redirect',
    'HEAD of an unknown blob is redirected to storage, unseen',
    ['oci.pull.blob.head.unknown.404'],
    {
      registry: rewriting(
        to('HEAD', blob),
        having(404, () => new Response(null, { status: 307, headers: { location: '/v2/' } })),
      ),
    },
  ),
]
