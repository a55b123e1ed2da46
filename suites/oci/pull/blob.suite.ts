import { isDeepStrictEqual } from 'node:util'
import { describe } from 'vitest'
import { type Content, concat, literal } from '../../../fixtures/content.ts'
import { layer } from '../../../fixtures/layer.ts'
import { everyKindOfEntry } from '../../../fixtures/layer-entries.ts'
import { unpack } from '../../../fixtures/unpack.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectContent, expectHeader, expectStatus, expectThat } from '../../../harness/finding.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { must, should } from '../../../harness/requirement.ts'
import { digestHeader, expectDigestTold, tellsDigest } from '../../digest.ts'
import { need, pushBlob } from '../../push.ts'
import { test as onStack } from '../../service/storage-node.ts'
import { ociDistribution, rfc } from '../../specifications.ts'
import { unlessBroken } from '../../unless-broken.ts'
import { test } from '../existing.ts'
import { readBlob } from '../existing-reads.ts'
import { blobPath } from '../named-content.ts'
import { emptyBlob } from '../push/empty-blob.ts'
import { realLayer } from '../push/real-layer.ts'

const pulling = ociDistribution('Pulling blobs', '#pulling-blobs')
const checking = ociDistribution(
  'Checking if content exists in the registry',
  '#checking-if-content-exists-in-the-registry',
)
const fresh = true

describe('Pulling blobs', () => {
  test(
    'oci.pull.blob.get.200',
    must('GET of an existing blob answers 200 with that blob.', pulling),
    async ({ registry, blob }) => {
      const { last } = await readBlob(registry, 'GET', blob)
      expectContent(last, blob.bytes)
    },
  )

  test(
    'oci.pull.blob.get.bytes-exact',
    must(
      'A blob comes back in the very bytes in which it was pushed, whatever they are, and without a content coding: a layer unpacks to the entries that were packed.',
      pulling,
      { needs: ['push'] },
    ),
    async ({ client, repository, content, run }) => {
      const looksCoded = concat([literal(Uint8Array.of(0x1f, 0x8b, 8, 0)), content.bytes(100)])
      await pushAndPull(client, repository, looksCoded, coded)
      // A tarball ends in zero bytes, and is worth compressing on the way.
      const tar = await layer(everyKindOfEntry(content, { large: 4096 }), 'tar')
      const layers = [
        [tar, coded],
        [await layer(everyKindOfEntry(content, { large: 4096 }), 'zstd'), {}],
        [await realLayer(run, content), {}],
      ] as const
      for (const [packed, headers] of layers) {
        const plain = await pushAndPull(client, repository, packed, headers)
        const entries = await unpack(plain.body, packed.mediaType)
        const seen = entries.find((entry, index) => !isDeepStrictEqual(entry, packed.entries[index]))
        const wanted = `the ${packed.entries.length} entries that were packed`
        expectThat(isDeepStrictEqual(entries, packed.entries), wanted, JSON.stringify(seen ?? entries.length))
      }
    },
  )

  test(
    'oci.pull.blob.get.digest-header.present',
    should(
      'A successful GET of a blob, or the redirect to it, tells its digest in Docker-Content-Digest.',
      pulling,
      {
        levels: { dev: 'MUST' },
      },
    ),
    async ({ registry, blob }) => {
      const { first, last } = await readBlob(registry, 'GET', blob)
      need('pulling a blob', last, 200)
      expectHeader(first.header(digestHeader) === undefined ? last : first, digestHeader)
    },
  )

  test(
    'oci.pull.blob.get.digest-header.true',
    must(
      'Docker-Content-Digest of a GET, where it is sent, is a digest of the returned blob under the algorithm that it names.',
      pulling,
    ),
    async ({ registry, blob, skip }) => {
      const { first, last } = await readBlob(registry, 'GET', blob)
      need('pulling a blob', last, 200)
      const told = [first, last].filter(tellsDigest)
      skip(told.length === 0, 'no answer tells a digest in Docker-Content-Digest')
      for (const answer of told) expectDigestTold(answer, last.body)
    },
  )

  test(
    'oci.pull.blob.get.unknown.404',
    must('GET of a blob that is not there answers 404.', pulling),
    async ({ client, blob, content }) => {
      const { digest } = content.bytes(32)
      expectStatus(await client.get(blobPath({ ...blob, digest }), { fresh }), 404)
    },
  )

  test(
    'oci.pull.blob.get.other-repo.404',
    must('A blob that only another repository holds answers 404, to GET and to HEAD.', pulling, {
      needs: ['push'],
      since: '1.1',
    }),
    async ({ client, blob, registry, content }) => {
      const repository = registry.repository('other')
      await pushBlob(client, repository, content.bytes(100))
      for (const method of ['GET', 'HEAD'] as const) {
        expectStatus(await client.request(method, blobPath({ ...blob, repository }), { fresh }), 404)
        need('asking for what is there', (await readBlob(registry, method, blob)).last, 200)
      }
    },
  )

  test(
    'oci.pull.blob.get.malformed-digest.4xx',
    should('GET of a blob whose digest is malformed answers 400 or 404.', rfc(9110)('15.5.1')),
    async ({ client, blob, content }) => {
      const hex = content.bytes(32).digest.slice('sha256:'.length)
      const malformed = ['sha256:xyz', 'sha256', `md5:${hex.slice(0, 32)}`, `sha256:${hex}0`]
      for (const digest of malformed) {
        expectStatus(await client.get(blobPath({ ...blob, digest })), 400, 404)
      }
    },
  )

  test(
    'oci.pull.blob.get.empty-blob',
    must('A blob of no bytes can be pushed and pulled.', pulling, { needs: ['push'] }),
    async ({ registry }) => {
      const { bytes, closed, read } = await emptyBlob(registry)
      need('pushing a blob of no bytes', closed, 201)
      expectContent(read(), bytes)
    },
  )

  onStack(
    'oci.pull.blob.get.truncation-visible',
    must(
      'A transfer that storage cuts short is seen to be incomplete: an error, or a connection that breaks, never a 200 that ends cleanly.',
      rfc(9112)('8'),
      { on: 'stack', needs: ['push', 'storage', 'storage.control'] },
    ),
    async ({ client, storage, repository, content, skip }) => {
      // A registry may hold back a small blob until it is checked; a large one is on its way when storage fails.
      for (const blob of [content.bytes(60_000), content.bytes(3 << 20)]) {
        const { digest } = await pushBlob(client, repository, blob)
        const pull = () => unlessBroken(client.get(blobPath({ repository, digest }), { fresh }))
        const cid = await storage.cidOf(blob)
        const { result, hits } = await storage.faulty('storage.cat.last-byte-missing', cid, pull)
        skip(hits === 0, 'the registry did not read the content from the storage node')
        const seen = `${result?.status} with ${result?.body.length} of ${blob.size} bytes`
        expectThat(!result || result.status >= 500, 'an error or a transfer that breaks off', seen)
      }
    },
  )

  test(
    'oci.pull.blob.head.200',
    must('HEAD of an existing blob answers 200.', checking),
    async ({ registry, blob }) => {
      expectStatus((await readBlob(registry, 'HEAD', blob)).last, 200)
    },
  )

  test(
    'oci.pull.blob.head.content-length',
    should('HEAD of a blob tells its size in Content-Length.', checking, { levels: { dev: 'MUST' } }),
    async ({ registry, blob }) => {
      const { last } = await readBlob(registry, 'HEAD', blob)
      expectHeader(need('HEAD', last, 200), 'content-length')
    },
  )

  test(
    'oci.pull.blob.head.digest-header',
    should('HEAD of a blob tells its digest in Docker-Content-Digest.', checking, {
      levels: { dev: 'MUST' },
    }),
    async ({ registry, blob }) => {
      const { first, last } = await readBlob(registry, 'HEAD', blob)
      need('HEAD', last, 200)
      expectHeader(first.header(digestHeader) === undefined ? last : first, digestHeader)
    },
  )

  test(
    'oci.pull.blob.head.digest-header.true',
    must('Docker-Content-Digest of a HEAD, where it is sent, is a digest of the blob.', checking),
    async ({ registry, blob, skip }) => {
      const { first, last } = await readBlob(registry, 'HEAD', blob)
      const told = [first, last].filter(tellsDigest)
      skip(told.length === 0, 'no answer tells a digest in Docker-Content-Digest')
      for (const answer of told) expectDigestTold(answer, blob.bytes)
    },
  )

  test(
    'oci.pull.blob.head.unknown.404',
    must('HEAD of a blob that is not there answers 404, so that a client uploads it.', checking),
    async ({ client, blob, content }) => {
      const { digest } = content.bytes(32)
      expectStatus(await client.head(blobPath({ ...blob, digest }), { fresh }), 404)
    },
  )
})

/** What says that a client takes content compressed on the way. */
const coded = { 'accept-encoding': 'gzip, deflate' }

/** Pushes a blob and pulls it: in its very bytes, however it is asked for. */
async function pushAndPull(
  client: RegistryClient,
  repository: string,
  pushed: Content,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { digest, bytes } = await pushBlob(client, repository, pushed)
  const answer = await client.get(blobPath({ repository, digest }), { fresh, headers })
  expectContent(answer, bytes)
  const coding = answer.header('content-encoding') ?? 'identity'
  expectThat(coding === 'identity', 'no Content-Encoding on a blob', coding)
  return answer
}
