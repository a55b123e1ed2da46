import { describe } from 'vitest'
import { expectHeader, expectStatus, expectThat } from '../../../../harness/finding.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { eachCase } from '../../../each-case.ts'
import { closeUpload, locationOf, need, octets, startUpload } from '../../../push.ts'
import { expectBlob } from '../../../readback.ts'
import { test } from '../../../registry.ts'
import { distributionDocs, ociDistribution } from '../../../specifications.ts'
import { append, closeWith, rangeAfter, send, startChunks } from '../chunks.ts'
import { expectLocation } from '../named-location.ts'
import { realLayer } from '../real-layer.ts'

const chunks = ociDistribution('Pushing a blob in chunks', '#pushing-a-blob-in-chunks')
const needs = ['push'] as const

describe('Chunks of a blob', () => {
  test(
    'oci.push.chunked.patch.202',
    must('A chunk that is taken is answered with 202', chunks, { needs }),
    async ({ client, repository, content }) => {
      const upload = await startChunks(client, repository, content, 3)
      let { location } = upload
      for (const index of [0, 1]) {
        const taken = await send(client, location, upload.chunk(index))
        expectStatus(taken, 202)
        location = locationOf(taken)
      }
    },
  )

  test(
    'oci.push.chunked.patch.location',
    must('That 202 names in Location where the upload goes on', chunks, { needs }),
    async ({ client, repository, content }) => {
      const { location, whole, chunk } = await startChunks(client, repository, content, 2)
      const first = need('a chunk', await send(client, location, chunk(0)), 202)
      expectLocation(first)
      expectStatus(await closeWith(client, locationOf(first), whole.digest, chunk(1)), 201)
      await expectBlob(client, repository, whole)
    },
  )

  test(
    'oci.push.chunked.patch.range',
    must('That 202 has a Range of the form 0-<last byte>, without a unit', chunks, { needs, since: '1.1' }),
    async ({ client, repository, content }) => {
      const { location, chunk } = await startChunks(client, repository, content, 2)
      const first = need('a chunk', await send(client, location, chunk(0)), 202)
      expectHeader(first, 'range', /^0-[0-9]+$/)
    },
  )

  test(
    'oci.push.chunked.patch.range-value',
    must('The end of that Range is the last byte of the blob so far, counted from 0', chunks, {
      needs,
      since: '1.1',
    }),
    async ({ client, repository, content }) => {
      const upload = await startChunks(client, repository, content, 3)
      let { location } = upload
      for (const index of [0, 1, 2]) {
        const chunk = upload.chunk(index)
        const taken = need('a chunk', await send(client, location, chunk), 202)
        const stored = expectHeader(taken, 'range').replace(/^bytes=/, '')
        expectThat(stored === rangeAfter(chunk), `Range: ${rangeAfter(chunk)}`, `Range: ${stored}`)
        location = locationOf(taken)
      }
    },
  )

  test(
    'oci.push.chunked.patch.first-chunk-nonzero.416',
    must('A first chunk that does not start at 0 is refused with 416', chunks, { needs }),
    async ({ client, repository, content }) => {
      for (const index of [0, 1]) {
        const { location, chunk } = await startChunks(client, repository, content, 3)
        const first = chunk(index)
        expectStatus(await send(client, location, first, first.start || 10), 416)
      }
    },
  )

  test(
    'oci.push.chunked.patch.gap.416',
    must('A chunk that leaves a gap is refused with 416', chunks, { needs }),
    async ({ client, repository, content }) => {
      for (const [index, beyond] of [
        [2, 0],
        [1, 1],
      ] as const) {
        const { location, chunk } = await startChunks(client, repository, content, 4)
        const next = await append(client, location, chunk(0))
        expectStatus(await send(client, next, chunk(index), chunk(index).start + beyond), 416)
      }
    },
  )

  test(
    'oci.push.chunked.patch.overlap.416',
    must('A chunk that repeats or overlaps what is stored is refused with 416', chunks, { needs }),
    async ({ client, repository, content }) => {
      for (const [index, overlap] of [
        [0, 0],
        [1, 1],
        [1, 500],
      ] as const) {
        const { location, chunk } = await startChunks(client, repository, content, 3)
        const next = await append(client, location, chunk(0))
        expectStatus(await send(client, next, chunk(index), chunk(index).start - overlap), 416)
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
      const { location, whole, chunk } = await startChunks(client, repository, content, 4)
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
      const third = await append(client, locationOf(second), chunk(2))
      expectStatus(await closeWith(client, third, whole.digest, chunk(3)), 201)
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
    async ({ client, repository, content }) => {
      const body = content.bytes(10)
      const { location, chunk } = await startChunks(client, repository, content, 2)
      await append(client, location, chunk(0))
      const spellings = ['bytes 0-9/10', 'bytes=0-9', '9-0', 'abc', '-5', '0-']
      await eachCase(
        spellings.map((spelling) => [spelling, spelling] as const),
        async (spelling) => {
          const fresh = await startUpload(client, repository)
          const headers = { ...octets, 'content-range': spelling }
          expectStatus(await client.patch(fresh, { headers, body }), 416, 400)
        },
      )
    },
  )

  test(
    'oci.push.chunked.patch.length-mismatch',
    should('A chunk that is shorter or longer than its Content-Range is refused with 400 or 416', chunks, {
      needs,
    }),
    async ({ client, repository, content }) => {
      const { location, chunk } = await startChunks(client, repository, content, 3)
      const { content: body } = chunk(0)
      await append(client, location, chunk(0))
      const claims = [2 * body.size - 1, body.size, body.size - 2]
      await eachCase(
        claims.map((end) => [`${body.size} bytes as 0-${end}`, end] as const),
        async (end) => {
          const fresh = await startUpload(client, repository)
          const headers = { ...octets, 'content-range': `0-${end}` }
          expectStatus(await client.patch(fresh, { headers, body }), 400, 416)
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
