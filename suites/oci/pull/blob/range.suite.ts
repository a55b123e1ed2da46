import { describe } from 'vitest'
import { expectContent, expectHeader, expectStatus, expectThat } from '../../../../harness/finding.ts'
import { may, must, should } from '../../../../harness/requirement.ts'
import { need } from '../../../push.ts'
import { ociDistribution, rfc } from '../../../specifications.ts'
import { test } from '../../existing.ts'
import { readBlob } from '../../existing-reads.ts'
import { blobPath } from '../../named-content.ts'
import { bodyParts } from '../multipart.ts'
import { askForPart, expectContentRange, expectPart, noRanges } from '../partial.ts'

const pulling = ociDistribution('Pulling blobs', '#pulling-blobs')
const since = '1.1' as const

describe('Ranges of blobs', () => {
  test(
    'oci.pull.blob.range.supported',
    should('A range of a blob is served with 206.', pulling, { since }),
    async ({ client, blob }) => {
      const answer = await askForPart(client, blob, `bytes=1-${Math.min(1000, blob.bytes.length - 1)}`)
      expectStatus(answer, 206)
    },
  )

  test(
    'oci.pull.blob.range.content-range',
    must('Content-Range of a 206 names exactly the bytes that are delivered.', rfc(9110)('15.3.7.1'), {
      since,
    }),
    async ({ client, blob, skip }) => {
      const last = blob.bytes.length - 1
      for (const [first, end] of [
        [0, 0],
        [1, Math.min(1000, last)],
        [last, last],
      ] as const) {
        const answer = await askForPart(client, blob, `bytes=${first}-${end}`)
        skip(answer.status !== 206, `GET with Range answered ${answer.status}`)
        expectPart(answer, blob, first, end)
      }
    },
  )

  test(
    'oci.pull.blob.range.open-ended',
    must('bytes=N- is answered with everything from N on.', rfc(9110)('14.1.2'), { since }),
    async ({ client, registry, blob, skip }) => {
      const absent = await noRanges(registry, blob)
      if (absent) return skip(absent)
      const size = blob.bytes.length
      for (const first of [1, size - 1]) {
        expectPart(await askForPart(client, blob, `bytes=${first}-`), blob, first, size - 1)
      }
    },
  )

  test(
    'oci.pull.blob.range.suffix',
    must('bytes=-N is answered with the last N bytes.', rfc(9110)('14.1.2'), { since }),
    async ({ client, registry, blob, skip }) => {
      const absent = await noRanges(registry, blob)
      if (absent) return skip(absent)
      const size = blob.bytes.length
      for (const length of [size - 1, size + 1]) {
        const answer = await askForPart(client, blob, `bytes=-${length}`)
        expectPart(answer, blob, Math.max(0, size - length), size - 1)
      }
    },
  )

  test(
    'oci.pull.blob.range.clamped',
    must('A range that ends past the blob is answered up to its last byte.', rfc(9110)('14.1.2'), { since }),
    async ({ client, registry, blob, skip }) => {
      const absent = await noRanges(registry, blob)
      if (absent) return skip(absent)
      const size = blob.bytes.length
      for (const last of [size, size + 3000]) {
        expectPart(await askForPart(client, blob, `bytes=${size - 2}-${last}`), blob, size - 2, size - 1)
      }
    },
  )

  test(
    'oci.pull.blob.range.unsatisfiable-416',
    should(
      'A range that begins at the end of the blob or after it answers 416, with the size in Content-Range.',
      rfc(9110)('15.5.17'),
      { since },
    ),
    async ({ client, registry, blob, skip }) => {
      const absent = await noRanges(registry, blob)
      if (absent) return skip(absent)
      const size = blob.bytes.length
      for (const range of [`bytes=${size}-`, `bytes=${size + 1}-${size + 10}`]) {
        const answer = await askForPart(client, blob, range)
        expectStatus(answer, 416)
        expectHeader(answer, 'content-range', `bytes */${size}`)
      }
    },
  )

  test(
    'oci.pull.blob.range.invalid',
    may(
      'A range that is no range, or counts in another unit, is ignored or refused (400 or 416), never answered with other bytes.',
      rfc(9110)('14.2'),
    ),
    async ({ client, blob }) => {
      for (const range of ['bytes=500-0', 'bytes=abc', 'items=0-5', '0-5']) {
        const answer = await askForPart(client, blob, range)
        expectStatus(answer, 200, 400, 416)
        const whole = Buffer.compare(answer.body, blob.bytes) === 0
        expectThat(whole || answer.status !== 200, `all of the blob on Range: ${range}`, 'other bytes')
      }
    },
  )

  test(
    'oci.pull.blob.range.accept-ranges',
    may(
      'Where ranges are announced in Accept-Ranges, GET and HEAD of a blob announce the same.',
      rfc(9110)('14.3'),
      {
        since,
      },
    ),
    async ({ registry, blob, skip }) => {
      const absent = await noRanges(registry, blob)
      if (absent) return skip(absent)
      const [get, head] = [await readBlob(registry, 'GET', blob), await readBlob(registry, 'HEAD', blob)]
      const announced = [get.last, head.last].map((answer) => answer.header('accept-ranges') ?? 'nothing')
      skip(
        announced.every((value) => value === 'nothing'),
        'Accept-Ranges is not sent',
      )
      expectThat(
        announced.every((value) => value === 'bytes'),
        'Accept-Ranges: bytes on GET and on HEAD',
        `${announced[0]} on GET, ${announced[1]} on HEAD`,
      )
    },
  )

  test(
    'oci.pull.blob.range.multi',
    may(
      'Several ranges at once are answered with multipart/byteranges, with one range over them, or with the whole blob, and what is said of each part is true.',
      rfc(9110)('14.2'),
    ),
    async ({ client, blob, skip }) => {
      const { bytes } = blob
      const answer = await askForPart(client, blob, 'bytes=0-0,10-19')
      skip([400, 416].includes(answer.status), `several ranges at once are refused with ${answer.status}`)
      expectStatus(answer, 206, 200)
      const whole = [{ contentRange: `bytes 0-${bytes.length - 1}/${bytes.length}`, body: answer.body }]
      const single = [{ contentRange: answer.header('content-range'), body: answer.body }]
      const parts = answer.status === 200 ? whole : (bodyParts(answer) ?? single)
      expectThat(parts.length > 0, 'at least one part', 'none')
      for (const { contentRange, body } of parts) {
        const first = Number(/^bytes (\d+)-/.exec(contentRange ?? '')?.[1])
        expectContentRange(contentRange, first, first + body.length - 1, bytes.length)
        const right = Buffer.compare(body, bytes.subarray(first, first + body.length)) === 0
        expectThat(right, `the bytes of ${contentRange}`, `${body.length} other bytes`)
      }
    },
  )

  test(
    'oci.pull.blob.range.if-range',
    must(
      'If-Range with a validator that does not match makes Range ignored: 200 and the whole blob.',
      rfc(9110)('13.1.5'),
      {
        since,
      },
    ),
    async ({ client, registry, blob, skip }) => {
      const absent = await noRanges(registry, blob)
      if (absent) return skip(absent)
      const etag = (await readBlob(registry, 'GET', blob)).last.header('etag')
      if (etag === undefined) return skip('no ETag was sent')
      const answer = await askForPart(client, blob, 'bytes=0-9', { 'if-range': '"nope"' })
      expectContent(answer, blob.bytes)
    },
  )

  test(
    'oci.pull.blob.range.head-ignored',
    should('Range on HEAD is ignored: 200 and the size of the whole blob.', rfc(9110)('14.2'), { since }),
    async ({ client, registry, blob, skip }) => {
      const absent = await noRanges(registry, blob)
      if (absent) return skip(absent)
      need('HEAD of a blob', (await readBlob(registry, 'HEAD', blob)).last, 200)
      const answer = await client.head(blobPath(blob), { headers: { range: 'bytes=0-9' }, fresh: true })
      expectStatus(answer, 200)
      const size = String(blob.bytes.length)
      const length = answer.header('content-length') ?? size
      expectThat(length === size, `Content-Length: ${size}`, length)
    },
  )
})
