import { describe } from 'vitest'
import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectBytes, expectHeader, expectStatus } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { eachCase } from '../../each-case.ts'
import { pathGateway, rfc } from '../../specifications.ts'
import type { Gateway } from '../gateway.ts'
import { type StorageNode, test } from '../node.ts'

const needs = ['gateway', 'storage'] as const
const size = 300_000
const asked = pathGateway('Range (request header)', '#range-request-header')

/** Content, and a way to ask for parts of it; `skip` is called where the gateway serves no ranges. */
async function ranged(
  storage: StorageNode,
  gateway: Gateway,
  bytes: Content,
  skip: (note: string) => never,
): Promise<(range: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>> {
  const cid = await storage.stored(bytes)
  const ask = (range: string, headers = {}) => gateway.get(cid, { headers: { range, ...headers } })
  const { status } = await ask('bytes=0-9')
  if (status !== 206) skip(`the gateway answers ${status} to a range`)
  return ask
}

/** The part that was asked for, or all: a gateway may pass over any range. */
function expectPart(answer: Answer, { bytes }: Content, first: number, last: number): void {
  const whole = answer.status === 200
  expectStatus(answer, 200, 206)
  const place = new RegExp(`^bytes ${first}-${last}/(?:${bytes.length}|\\*)$`)
  if (!whole) expectHeader(answer, 'content-range', place)
  expectBytes(answer, whole ? bytes : bytes.subarray(first, last + 1))
}

describe('Ranges on the gateway', () => {
  test(
    'storage.gateway.range',
    should('A byte range is answered with 206', asked, { needs }),
    async ({ storage, gateway, content }) => {
      const bytes = content.bytes(size)
      const cid = await storage.stored(bytes)
      expectStatus(await gateway.get(cid, { headers: { range: 'bytes=0-9' } }), 206)
    },
  )

  test(
    'storage.gateway.range.exact',
    must('A 206 names and delivers exactly the bytes that were asked for', rfc(9110)('15.3.7.1'), { needs }),
    async ({ storage, gateway, content, skip }) => {
      const bytes = content.bytes(size)
      const ask = await ranged(storage, gateway, bytes, skip)
      for (const [first, last] of [
        [0, 9],
        [262_140, 262_150],
        [262_144, 262_144],
        [0, size - 1],
      ] as const) {
        expectPart(await ask(`bytes=${first}-${last}`), bytes, first, last)
      }
    },
  )

  test(
    'storage.gateway.range.open-suffix',
    must(
      'bytes=N- is the rest, bytes=-N the last N bytes, and a last position beyond the end means the end',
      rfc(9110)('14.1.2'),
      { needs },
    ),
    async ({ storage, gateway, content, skip }) => {
      const bytes = content.bytes(size)
      const ask = await ranged(storage, gateway, bytes, skip)
      for (const [range, first] of [
        ['bytes=262100-', 262_100],
        ['bytes=-5', size - 5],
        [`bytes=${size - 10}-${size + 90}`, size - 10],
      ] as const) {
        expectPart(await ask(range), bytes, first, size - 1)
      }
    },
  )

  // Apart from the rule above: a well-known gateway answers 500 here, which harms no client that knows the size.
  test(
    'storage.gateway.range.long-suffix',
    should('A suffix that is longer than the content means all of it', rfc(9110)('14.1.2'), { needs }),
    async ({ storage, gateway, content, skip }) => {
      const bytes = content.bytes(size)
      const ask = await ranged(storage, gateway, bytes, skip)
      expectPart(await ask(`bytes=-${size + 1}`), bytes, 0, size - 1)
    },
  )

  test(
    'storage.gateway.range.unsatisfiable',
    should('A range beyond the end is 416 with the length in Content-Range', rfc(9110)('15.5.17'), { needs }),
    async ({ storage, gateway, content, skip }) => {
      const ask = await ranged(storage, gateway, content.bytes(size), skip)
      const answer = await ask(`bytes=${size}-`)
      expectStatus(answer, 416)
      expectHeader(answer, 'content-range', `bytes */${size}`)
    },
  )

  test(
    'storage.gateway.range.malformed',
    may('A malformed range or one of another unit is ignored or refused', rfc(9110)('14.2'), { needs }),
    async ({ storage, gateway, content }) => {
      const bytes = content.bytes(1000)
      const cid = await storage.stored(bytes)
      const ranges = ['bytes=9-0', 'bytes=x', 'items=0-1'].map((range) => [range, range] as const)
      await eachCase(ranges, async (range) => {
        const answer = await gateway.get(cid, { headers: { range } })
        expectStatus(answer, 200, 400, 416)
        expectBytes(answer, answer.status === 200 ? bytes.bytes : answer.body)
      })
    },
  )

  test(
    'storage.gateway.if-range',
    should('If-Range with another validator gives everything', rfc(9110)('13.1.5'), { needs }),
    async ({ storage, gateway, content, skip }) => {
      const bytes = content.bytes(size)
      const ask = await ranged(storage, gateway, bytes, skip)
      skip((await ask('bytes=0-9')).header('etag') === undefined, 'no ETag was sent')
      const answer = await ask('bytes=0-9', { 'if-range': '"nope"' })
      expectStatus(answer, 200)
      expectBytes(answer, bytes.bytes)
    },
  )
})
