import { describe } from 'vitest'
import type { Source } from '../../../../fixtures/seed.ts'
import { expectContent, expectHeader, expectStatus, expectThat } from '../../../../harness/finding.ts'
import type { RegistryClient } from '../../../../harness/registry-client.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { eachCase } from '../../../each-case.ts'
import { closeUpload, locationOf, need, octets, startUpload } from '../../../push.ts'
import { expectBlob } from '../../../readback.ts'
import { test } from '../../../registry.ts'
import { distributionDocs, ociDistribution } from '../../../specifications.ts'
import { append, closeWith, rangeAfter, send, startChunks } from '../chunks.ts'
import { expectLocation } from '../named-location.ts'
import { realLayer } from '../real-layer.ts'
import { triedUploads } from '../tried-upload.ts'
import { finalChunk, twoChunks } from '../uploads-in-chunks.ts'

const chunks = ociDistribution('Pushing a blob in chunks', '#pushing-a-blob-in-chunks')
const needs = ['push'] as const

describe('Chunks of a blob', () => {
  test(
    'oci.push.chunked.patch.202',
    must('A chunk that is taken is answered with 202', chunks, { needs }),
    async ({ registry }) => {
      const { first, second } = await twoChunks(registry)
      for (const taken of [() => first, second]) expectStatus(taken(), 202)
    },
  )

  test(
    'oci.push.chunked.patch.location',
    must('That 202 names in Location where the upload goes on', chunks, { needs }),
    async ({ registry }) => {
      const { whole, first, closed, read } = await finalChunk(registry)
      expectLocation(need('a chunk', first, 202))
      expectStatus(closed(), 201)
      expectContent(read(), whole.bytes)
    },
  )

  test(
    'oci.push.chunked.patch.range',
    must('That 202 has a Range of the form 0-<last byte>, without a unit', chunks, { needs, since: '1.1' }),
    async ({ registry }) => {
      const { first } = await twoChunks(registry)
      expectHeader(need('a chunk', first, 202), 'range', /^0-[0-9]+$/)
    },
  )

  test(
    'oci.push.chunked.patch.range-value',
    must('The end of that Range is the last byte of the blob so far, counted from 0', chunks, {
      needs,
      since: '1.1',
    }),
    async ({ registry }) => {
      const { chunk, first, second } = await twoChunks(registry)
      for (const [index, taken] of [first, second()].entries()) {
        const stored = expectHeader(need('a chunk', taken, 202), 'range').replace(/^bytes=/, '')
        const wanted = rangeAfter(chunk(index))
        expectThat(stored === wanted, `Range: ${wanted}`, `Range: ${stored}`)
      }
    },
  )

  test(
    'oci.push.chunked.patch.first-chunk-nonzero.416',
    must('A first chunk that does not start at 0 is refused with 416', chunks, { needs }),
    async ({ client, repository, content }) => {
      const { location, chunk } = await startChunks(client, repository, content, 3)
      const attempt = triedUploads(client, repository, location)
      for (const [first, start] of [
        [chunk(0), 10],
        [chunk(1), chunk(1).start],
      ] as const) {
        expectStatus(await attempt((upload) => send(client, upload, first, start), 416), 416)
      }
    },
  )

  test(
    'oci.push.chunked.patch.gap.416',
    must('A chunk that leaves a gap is refused with 416', chunks, { needs }),
    async ({ client, repository, content }) => {
      const { chunk, attempt } = await afterOneChunk(client, repository, content)
      for (const [index, beyond] of [
        [2, 0],
        [1, 1],
      ] as const) {
        const start = chunk(index).start + beyond
        expectStatus(await attempt((upload) => send(client, upload, chunk(index), start), 416), 416)
      }
    },
  )

  test(
    'oci.push.chunked.patch.overlap.416',
    must('A chunk that repeats or overlaps what is stored is refused with 416', chunks, { needs }),
    async ({ client, repository, content }) => {
      const { chunk, attempt } = await afterOneChunk(client, repository, content)
      for (const [index, overlap] of [
        [0, 0],
        [1, 1],
        [1, 500],
      ] as const) {
        const start = chunk(index).start - overlap
        expectStatus(await attempt((upload) => send(client, upload, chunk(index), start), 416), 416)
      }
    },
  )

  test(
    'oci.push.chunked.patch.416-no-side-effect',
    must('A chunk that is refused changes nothing, and the upload can be finished', chunks, {
      needs,
      since: '1.1',
    }),
    async ({ client, repository, content }) => {
      const { location, whole, chunk } = await startChunks(client, repository, content, 3)
      const next = await append(client, location, chunk(0))
      need('a chunk that leaves a gap', await send(client, next, chunk(2)), 416, 400)
      const status = await client.get(next, { fresh: true })
      // Whether the status is told at all is another requirement.
      const told = status.status === 204
      if (told) expectHeader(status, 'range', rangeAfter(chunk(0)))
      const where = told ? locationOf(status) : next
      // Where the first refusal ended the upload, the next chunk shows it.
      need('a chunk that is there already', await send(client, where, chunk(0)), 416, 400, 404)
      const second = await send(client, where, chunk(1))
      expectStatus(second, 202)
      expectStatus(await closeWith(client, locationOf(second), whole.digest, chunk(2)), 201)
      await expectBlob(client, repository, whole)
    },
  )

  test(
    'oci.push.chunked.patch.content-range-malformed',
    should(
      'A Content-Range that is not <start>-<end>, or runs backwards, is refused with 416 or 400',
      chunks,
      {
        needs,
      },
    ),
    async ({ client, registry, repository, content }) => {
      const body = content.bytes(10)
      need('a chunk', (await twoChunks(registry)).first, 202)
      const attempt = triedUploads(client, repository)
      const spellings = ['bytes 0-9/10', 'bytes=0-9', '9-0', 'abc', '0-']
      await eachCase(
        spellings.map((spelling) => [spelling, spelling] as const),
        async (spelling) => {
          const headers = { ...octets, 'content-range': spelling }
          const refused = await attempt((location) => client.patch(location, { headers, body }), 416, 400)
          expectStatus(refused, 416, 400)
        },
      )
    },
  )

  test(
    'oci.push.chunked.patch.length-mismatch',
    should('A chunk that is shorter or longer than its Content-Range is refused with 400 or 416', chunks, {
      needs,
    }),
    async ({ client, registry, repository }) => {
      const { chunk, first } = await twoChunks(registry)
      need('a chunk', first, 202)
      const { content: body } = chunk(0)
      const attempt = triedUploads(client, repository)
      const claims = [body.size, body.size - 2]
      await eachCase(
        claims.map((end) => [`${body.size} bytes as 0-${end}`, end] as const),
        async (end) => {
          const headers = { ...octets, 'content-range': `0-${end}` }
          const refused = await attempt((location) => client.patch(location, { headers, body }), 400, 416)
          expectStatus(refused, 400, 416)
        },
      )
    },
  )

  test(
    'oci.push.chunked.patch.stream',
    should(
      'A PATCH without Content-Range takes a whole layer as a stream, in chunked transfer coding',
      distributionDocs('api')('PATCH Blob Upload, Stream upload', '#stream-upload'),
      { needs },
    ),
    async ({ client, repository, content, run }) => {
      const layer = await realLayer(run, content)
      const location = await startUpload(client, repository)
      const streamed = await client.patch(location, { headers: octets, body: layer, chunked: true })
      expectStatus(streamed, 202)
      expectStatus(await closeUpload(client, locationOf(streamed), layer.digest), 201)
      await expectBlob(client, repository, layer)
    },
  )
})

/** Uploads that hold the first of four chunks. */
async function afterOneChunk(client: RegistryClient, repository: string, content: Source) {
  const { location, chunk } = await startChunks(client, repository, content, 4)
  const first = await append(client, location, chunk(0))
  const again = async () => append(client, await startUpload(client, repository), chunk(0))
  return { chunk, attempt: triedUploads(client, repository, first, again) }
}
