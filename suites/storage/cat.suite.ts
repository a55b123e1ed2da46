import { once } from 'node:events'
import { describe } from 'vitest'
import { expectBytes, expectStatus, expectThat } from '../../harness/finding.ts'
import { may, must, should } from '../../harness/requirement.ts'
import type { Transport } from '../../harness/transport.ts'
import { eachCase } from '../each-case.ts'
import { need } from '../push.ts'
import { rfc } from '../specifications.ts'
import { asVersion1, cidOfNothing } from './cid.ts'
import { test } from './node.ts'
import { stillSearching, unlessSilent } from './patience.ts'
import { api, command } from './sources.ts'

const needs = ['storage'] as const
const fresh = true
const blockSize = 262_144

describe('Reading content', () => {
  test(
    'storage.cat',
    must('cat gives exactly the bytes that were added', api, { needs }),
    async ({ storage, content }) => {
      const bytes = content.bytes(10_000)
      const cid = await storage.stored(bytes)
      // A cache may be right once, or on one connection.
      for (const options of [{ fresh }, {}, { fresh }]) {
        const answer = await storage.cat(cid, {}, options)
        expectStatus(answer, 200)
        expectBytes(answer, bytes.bytes)
      }
    },
  )

  test(
    'storage.cat.methods',
    must('cat answers to GET or to POST, and alike where it answers to both', api, { needs }),
    async ({ storage, content }) => {
      const bytes = content.bytes(1000)
      const cid = await storage.stored(bytes)
      const answers = [
        await storage.cat(cid, {}, { method: 'POST' }),
        await storage.cat(cid, {}, { method: 'GET' }),
      ]
      const given = answers.filter(({ status }) => status === 200)
      const seen = answers.map(({ method, status }) => `${status} to ${method}`).join(', ')
      expectThat(given.length > 0, '200 to GET or to POST', seen)
      for (const answer of given) expectBytes(answer, bytes.bytes)
    },
  )

  test(
    'storage.cat.every-size',
    must('cat of each added object gives that object and no other', api, { needs }),
    async ({ storage, content }) => {
      const contents = Array.from({ length: 20 }, (_, i) => content.bytes(1 + i * i * 700))
      const cids: string[] = []
      for (const each of contents) cids.push(await storage.stored(each))
      await eachCase(
        [...contents.entries()].reverse().map(([i, each]) => [cids[i] ?? '', each]),
        async (each) => {
          const answer = await storage.cat(cids[contents.indexOf(each)] ?? '')
          expectStatus(answer, 200)
          expectBytes(answer, each.bytes)
        },
      )
    },
  )

  test(
    'storage.cat.length-true',
    must('A stated length is the number of bytes that come', rfc(9110)('8.6'), { needs }),
    async ({ storage, content, skip }) => {
      const stated: string[] = []
      for (const size of [0, 1, 1000, blockSize + 1]) {
        const cid = await storage.stored(content.bytes(size))
        const answer = need('cat', await storage.cat(cid, {}, { fresh }), 200)
        for (const name of ['content-length', 'x-content-length']) {
          const told = answer.header(name)
          if (told === undefined) continue
          stated.push(told)
          expectThat(Number(told) === answer.body.length, `${name}: ${answer.body.length}`, told)
        }
      }
      skip(stated.length === 0, 'cat states no length')
    },
  )

  test(
    'storage.cat.concurrent',
    must('Parallel reads of different CIDs do not mix', api, { needs }),
    async ({ storage, content }) => {
      const contents = Array.from({ length: 8 }, (_, i) => content.bytes((1 << 20) + 1 + i))
      const cids: string[] = []
      for (const each of contents) cids.push(await storage.stored(each))
      await Promise.all(
        [...contents, ...contents].map(async (each) => {
          const answer = await storage.cat(cids[contents.indexOf(each)] ?? '')
          expectStatus(answer, 200)
          expectBytes(answer, each.bytes)
        }),
      )
    },
  )

  test(
    'storage.cat.abort',
    should('A reader that hangs up in the middle does no harm', rfc(9112)('9.6'), {
      needs: ['storage'],
    }),
    async ({ storage, content, session }) => {
      // More than the sockets of both sides hold: whoever stops reading keeps the node in the middle of its answer.
      const bytes = content.bytes(8 << 20)
      const cid = await storage.stored(bytes)
      const { method, url } = need('cat', await storage.cat(cid, {}, { fresh }), 200)
      await Promise.all(Array.from({ length: 5 }, () => hangUp(session.transport, method, url)))
      expectStatus(await storage.rpc('id', {}, { fresh }), 200)
      const answer = await storage.cat(cid, {}, { fresh })
      expectStatus(answer, 200)
      expectBytes(answer, bytes.bytes)
    },
  )

  test(
    'storage.cat.unknown',
    should('cat of a CID that nobody added fails', api, { needs }),
    async ({ storage, content, skip }) => {
      const cid = cidOfNothing(content.bytes(64).bytes)
      const answer = await unlessSilent(storage.cat(cid, { timeout: '2s' }), 10)
      if (!answer) return skip(stillSearching)
      expectThat(answer.status >= 400, 'an error for a CID that nobody added', String(answer.status))
    },
  )

  test(
    'storage.cat.invalid-cid',
    should('cat of something that is no CID fails at once', api, { needs }),
    async ({ storage }) => {
      for (const arg of ['notacid', 'Qm0', 'bafy', '/foo/bar', '\0']) {
        const spelling = JSON.stringify(arg)
        const answer = await unlessSilent(storage.cat(arg), 5)
        expectThat(answer !== undefined, `an answer to cat of ${spelling} within 5 s`, 'none')
        expectThat(answer.status >= 400, `an error to cat of ${spelling}`, String(answer.status))
      }
    },
  )

  test(
    'storage.cat.missing-arg',
    should('cat without an argument, or with an empty one, is refused', command('cat'), { needs }),
    async ({ storage }) => {
      for (const query of [{}, { arg: '' }]) {
        const answer = await storage.rpc('cat', query)
        expectThat(
          answer.status >= 400,
          `an error to cat?${new URLSearchParams(query)}`,
          String(answer.status),
        )
      }
    },
  )

  test(
    'storage.cat.offset-length',
    may(
      'offset and length cut out a slice, across blocks too; past the end there is nothing',
      command('cat'),
      {
        needs,
      },
    ),
    async ({ storage, content, skip }) => {
      const bytes = content.bytes(600_000)
      const cid = await storage.stored(bytes)
      const probed = await storage.cat(cid, { offset: 1, length: 1 })
      skip(probed.status !== 200 || probed.body.length !== 1, 'the node does not cut slices out')
      for (const [offset, length] of [
        [10, 20],
        [blockSize - 5, 10],
        [blockSize, blockSize],
        [599_990, 100],
        [600_000, 1],
        [700_000, 1],
      ] as const) {
        const answer = await storage.cat(cid, { offset, length })
        expectStatus(answer, 200)
        expectBytes(answer, bytes.bytes.subarray(offset, offset + length))
      }
      expectBytes(await storage.cat(cid, { offset: blockSize - 1 }), bytes.bytes.subarray(blockSize - 1))
      for (const query of [{ offset: -1 }, { length: -1 }]) {
        const { status } = await storage.cat(cid, query)
        expectThat(status >= 400, `an error for ${JSON.stringify(query)}`, String(status))
      }
    },
  )

  test(
    'storage.cat.cid-spelling',
    may('Other spellings of a CID reach the same content', command('cat'), { needs }),
    async ({ storage, content, skip }) => {
      const bytes = content.bytes(300_000)
      const cid = await storage.stored(bytes)
      const answers = [await storage.cat(`/ipfs/${cid}`), await storage.cat(asVersion1(cid))]
      const given = answers.filter(({ status }) => status === 200)
      skip(given.length === 0, 'the node knows content under no other spelling')
      for (const answer of given) expectBytes(answer, bytes.bytes)
    },
  )

  test(
    'storage.cat.error-json',
    should('An error of a command is a JSON object with Message, Code and the Type error', command('cat'), {
      needs,
    }),
    async ({ storage, skip }) => {
      const answer = await storage.cat('notacid')
      skip(!/\bjson\b/i.test(answer.header('content-type') ?? ''), 'the error is not JSON')
      expectThat(answer.status >= 400, 'an error status', String(answer.status))
      const { Message, Code, Type } = errorOf(answer.text())
      const right =
        typeof Message === 'string' && Message !== '' && Number.isInteger(Code) && Type === 'error'
      expectThat(right, 'Message (a string), Code (a number) and Type error', answer.text().slice(0, 120))
    },
  )
})

function errorOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Asks, and closes the connection when the first bytes are there. */
async function hangUp(transport: Transport, method: string, url: string): Promise<void> {
  const { origin, host, pathname, search } = new URL(url)
  const socket = await transport.socket(origin)
  socket.on('error', () => undefined)
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n\r\n`)
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.destroy()
}
