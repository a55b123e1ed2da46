import { describe } from 'vitest'
import {
  expectContent,
  expectHeader,
  expectRefusal,
  expectStatus,
  expectThat,
} from '../../../harness/finding.ts'
import { must, should } from '../../../harness/requirement.ts'
import { closeUpload, locationOf, need, sendChunk, startUpload, withParameter } from '../../push.ts'
import { expectBlob, expectNoBlob, readBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { ociDistribution, ociDistributionMain } from '../../specifications.ts'
import { append, chunkOf, closeWith, rangeAfter, send, smallestChunk, startChunks } from './chunks.ts'
import { expectLocation } from './named-location.ts'
import { realLayer } from './real-layer.ts'
import { finalChunk, twoChunks } from './uploads-in-chunks.ts'

const chunks = ociDistribution('Pushing a blob in chunks', '#pushing-a-blob-in-chunks')
const chunksMain = ociDistributionMain('Pushing a blob in chunks', '#pushing-a-blob-in-chunks')
const needs = ['push'] as const

describe('Starting an upload in chunks', () => {
  test(
    'oci.push.chunked.post.content-length-0',
    must('The POST that starts an upload works with Content-Length: 0', chunks, { needs }),
    async ({ client, repository, content }) => {
      const blob = content.bytes(1000)
      const headers = { 'content-length': '0' }
      const started = await client.post(`/v2/${repository}/blobs/uploads/`, { headers })
      expectStatus(started, 202)
      expectStatus(await closeUpload(client, locationOf(started), blob.digest, blob), 201)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.chunked.digest-algorithm',
    should('The POST takes digest-algorithm where the registry has the algorithm', chunksMain, {
      needs: ['push', 'sha512'],
      since: 'dev',
    }),
    async ({ client, repository, content }) => {
      const blob = content.bytes(1000)
      for (const [algorithm, digest] of [
        ['sha512', blob.sha512()],
        ['sha256', blob.digest],
      ] as const) {
        const path = withParameter(`/v2/${repository}/blobs/uploads/`, 'digest-algorithm', algorithm)
        const started = await client.post(path)
        expectStatus(started, 202)
        const next = need('a chunk', await sendChunk(client, locationOf(started), blob, 0), 202)
        expectStatus(await closeUpload(client, locationOf(next), digest), 201)
        await expectBlob(client, repository, blob, digest)
      }
    },
  )

  test(
    'oci.push.chunked.digest-algorithm.unsupported',
    should(
      'A digest-algorithm that nobody has is refused with 400, at the latest when the upload is closed',
      ociDistributionMain('Endpoints', '#endpoints'),
      { needs, since: 'dev' },
    ),
    async ({ client, repository, content }) => {
      const blob = content.bytes(1000)
      await startUpload(client, repository)
      const path = withParameter(`/v2/${repository}/blobs/uploads/`, 'digest-algorithm', 'md5')
      const started = await client.post(path)
      const closed =
        started.status === 202
          ? await closeUpload(client, locationOf(started), `md5:${'0'.repeat(32)}`, blob)
          : started
      expectStatus(closed, 400)
    },
  )

  test(
    'oci.push.chunked.min-length.header',
    should(
      'A registry with a smallest chunk announces it in OCI-Chunk-Min-Length, as a positive integer',
      chunks,
      { needs, since: '1.1' },
    ),
    async ({ client, repository, content, skip }) => {
      const started = need('starting an upload', await client.post(`/v2/${repository}/blobs/uploads/`), 202)
      const announced = started.header('oci-chunk-min-length')
      const small = await sendChunk(client, locationOf(started), content.bytes(1), 0)
      skip(announced === undefined && small.status === 202, 'no smallest chunk was seen')
      const usual = content.bytes(1 << 20)
      const other = await startUpload(client, repository)
      if (announced === undefined) need('a chunk of 1 MiB', await sendChunk(client, other, usual, 0), 202)
      expectHeader(started, 'oci-chunk-min-length', /^[1-9][0-9]*$/)
    },
  )

  test(
    'oci.push.chunked.min-length.final-any',
    should('The final chunk may be of any length', chunks, { needs, since: '1.1' }),
    async ({ client, repository, content }) => {
      const started = need('starting an upload', await client.post(`/v2/${repository}/blobs/uploads/`), 202)
      const length = Math.max(1000, smallestChunk(started))
      const whole = content.bytes(length + 1)
      const next = await append(client, locationOf(started), chunkOf(whole, 0, length))
      const last = await send(client, next, chunkOf(whole, 1, length))
      expectStatus(last, 202)
      expectStatus(await closeUpload(client, locationOf(last), whole.digest), 201)
      await expectBlob(client, repository, whole)
    },
  )
})

describe('Closing an upload in chunks', () => {
  test(
    'oci.push.chunked.put.close.201',
    must('An empty PUT that closes the upload answers 201 with a Location', chunks, { needs }),
    async ({ registry }) => {
      const { whole, closed, read } = await twoChunks(registry)
      expectStatus(closed(), 201)
      expectLocation(closed())
      expectContent(read(), whole.bytes)
    },
  )

  test(
    'oci.push.chunked.put.final-chunk.201',
    must('The last chunk may come with the closing PUT', chunks, { needs }),
    async ({ registry }) => {
      const { whole, closed, read } = await finalChunk(registry)
      expectStatus(closed(), 201)
      expectContent(read(), whole.bytes)
    },
  )

  test(
    'oci.push.chunked.put.final-out-of-order.416',
    should('A last chunk that leaves a gap or overlaps is refused with 416 and not appended', chunks, {
      needs,
      levels: { dev: 'MUST' },
    }),
    async ({ client, repository, content, run }) => {
      const dev = run.selection.spec === 'dev'
      const { location, whole, chunk } = await startChunks(client, repository, content, 2)
      let next: string | undefined = await append(client, location, chunk(0))
      for (const step of [10, -10]) {
        next ??= await append(client, await startUpload(client, repository), chunk(0))
        const refused = await closeWith(client, next, whole.digest, chunk(1), chunk(1).start + step)
        // Before the main branch no edition names the status, nor says that the session lives on.
        const right = dev ? refused.status === 416 : refused.status >= 400 && refused.status < 500
        expectThat(right, dev ? '416' : 'a refusal (4xx)', String(refused.status))
        const status = await client.get(next, { fresh: true })
        const kept = status.status === 204 && status.header('range') === rangeAfter(chunk(0))
        const range = `${status.status} with Range: ${status.header('range')}`
        expectThat(kept || (!dev && status.status >= 400), `Range: ${rangeAfter(chunk(0))}`, range)
        if (!kept) next = undefined
      }
      await expectNoBlob(client, repository, whole.digest)
    },
  )

  test(
    'oci.push.chunked.put.digest-whole',
    must('The closing digest is that of the whole blob: the digest of the last chunk is refused', chunks, {
      needs,
    }),
    async ({ client, repository, content }) => {
      const { location, whole, chunk } = await startChunks(client, repository, content, 2)
      const next = await append(client, location, chunk(0))
      expectRefusal(await closeWith(client, next, chunk(1).content.digest, chunk(1)))
      for (const { digest } of [chunk(1).content, whole]) {
        expectStatus(await readBlob(client, repository, digest), 404)
      }
    },
  )

  test(
    'oci.push.chunked.put.location-pullable',
    must('A layer that went up in chunks can be pulled from the Location of the 201', chunks, { needs }),
    async ({ client, repository, content, run }) => {
      const layer = await realLayer(run, content)
      const started = need('starting an upload', await client.post(`/v2/${repository}/blobs/uploads/`), 202)
      const length = Math.max(Math.ceil(layer.size / 2), smallestChunk(started))
      let location = locationOf(started)
      for (let start = 0; start < layer.size; start += length) {
        location = await append(client, location, chunkOf(layer, start / length, length))
      }
      const closed = need('closing the upload', await closeUpload(client, location, layer.digest), 201)
      expectContent(await client.get(locationOf(closed), { fresh: true }), layer.bytes)
    },
  )

  test(
    'oci.push.chunked.put.incomplete',
    must('Closing before all bytes were sent is refused', ociDistribution('Single POST', '#single-post'), {
      needs,
    }),
    async ({ client, repository, content }) => {
      const { location, whole, chunk } = await startChunks(client, repository, content, 2)
      const next = await append(client, location, chunk(0))
      expectRefusal(await closeUpload(client, next, whole.digest))
      await expectNoBlob(client, repository, whole.digest)
    },
  )
})
