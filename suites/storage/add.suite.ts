import { describe } from 'vitest'
import { type Content, concat, literal, repeated } from '../../fixtures/content.ts'
import { gzip } from '../../fixtures/gzip.ts'
import { expectBytes, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { boundary } from '../multipart.ts'
import { need } from '../push.ts'
import { rfc } from '../specifications.ts'
import { step } from '../step.ts'
import { hashOf, jsonLines, lastLine, rootOf } from './added.ts'
import { readCid } from './cid.ts'
import { type StorageNode, test } from './node.ts'
import { api, command, deployment } from './sources.ts'

const needs = ['storage'] as const
const fresh = true
const blockSize = 262_144

/** Adds content and reads it back on another connection. */
async function expectRoundTrip(storage: StorageNode, content: Content): Promise<void> {
  const cid = hashOf(await storage.add(content))
  const answer = await storage.cat(cid, {}, { fresh })
  expectStatus(answer, 200)
  expectBytes(answer, content.bytes)
}

/** All the answers name one CID, and it is told once. */
function expectOne(cids: readonly string[], of: string): void {
  expectThat(new Set(cids).size === 1, `one CID ${of}`, cids.join(', '))
}

describe('Adding content', () => {
  test(
    'storage.add',
    must('add answers 200 with JSON that has the strings Hash, a CID, and Size, a decimal number', api, {
      needs,
    }),
    async ({ storage, content }) => {
      const answer = await storage.add(content.bytes(1000))
      expectStatus(answer, 200)
      const { Hash, Size } = lastLine(answer)
      expectThat(typeof Hash === 'string' && Hash !== '', 'a string Hash', JSON.stringify(Hash) ?? 'none')
      const decimal = typeof Size === 'string' && /^(?:0|[1-9][0-9]*)$/.test(Size)
      expectThat(decimal, 'a string Size of decimal digits', JSON.stringify(Size) ?? 'none')
    },
  )

  test(
    'storage.add.hash-is-cid',
    must('Hash is a well-formed content identifier in its canonical spelling', api, { needs }),
    async ({ storage, content }) => {
      for (const size of [0, 10, blockSize + 1]) {
        const answer = need('adding', await storage.add(content.bytes(size)), 200)
        readCid(String(lastLine(answer)['Hash']))
      }
    },
  )

  test(
    'storage.add.deterministic',
    must('The same bytes have the same CID whenever they are added, and other bytes another', deployment, {
      needs,
    }),
    async ({ storage, content }) => {
      const once = content.bytes(5000)
      const cids = [hashOf(await storage.add(once)), hashOf(await storage.add(once, { fresh }))]
      expectOne(cids, 'for the same bytes')
      const other = hashOf(await storage.add(content.bytes(5000)))
      expectThat(!cids.includes(other), 'another CID for other bytes', other)
    },
  )

  test(
    'storage.add.distinct',
    must('Contents that differ in one bit, in length or in trailing zeros have different CIDs', deployment, {
      needs,
    }),
    async ({ storage, content }) => {
      const bytes = content.bytes(999)
      const zero = repeated(0, 1)
      const contents = [
        concat([bytes, literal(Uint8Array.of(2))]),
        concat([bytes, literal(Uint8Array.of(3))]),
        bytes,
        concat([bytes, zero]),
        concat([bytes, zero, zero]),
        concat([zero, bytes]),
      ]
      const cids: string[] = []
      for (const each of contents) cids.push(hashOf(await storage.add(each)))
      expectThat(new Set(cids).size === contents.length, `${contents.length} CIDs`, cids.join(', '))
    },
  )

  test(
    'storage.add.size-plausible',
    should('Size is that of the content and its framing, and the same for the same content', command('add'), {
      needs,
    }),
    async ({ storage, content }) => {
      for (const size of [0, 1, blockSize, blockSize + 1, 1_000_000]) {
        const bytes = content.bytes(size)
        const sizeTold = async () => Number(rootOf(need('adding', await storage.add(bytes), 200))['Size'])
        const told = await sizeTold()
        const most = size * 1.01 + 1024
        expectThat(told >= size && told <= most, `a Size from ${size} to ${most}`, String(told))
        expectThat((await sizeTold()) === told, `the Size ${told} again`, 'another one')
      }
    },
  )

  test(
    'storage.add.name',
    should('The answer repeats the file name of the part as Name', command('add'), { needs }),
    async ({ storage, content }) => {
      const answer = await storage.add(content.bytes(100), { filename: 'hello.txt' })
      const { Name } = rootOf(need('adding', answer, 200))
      expectThat(Name === 'hello.txt', 'the Name hello.txt', JSON.stringify(Name) ?? 'none')
    },
  )

  test(
    'storage.add.empty',
    must('Content of zero bytes can be added and read back', api, { needs }),
    async ({ storage }) => expectRoundTrip(storage, literal('')),
  )

  test(
    'storage.add.multi-chunk',
    must('Content larger than one block has one CID and comes back exactly', api, { needs }),
    async ({ storage, content }) => {
      const sizes = [blockSize, blockSize + 1, 2 * blockSize, 600_000, 3_000_000]
      await eachCase(
        sizes.map((size) => [`${size} bytes`, content.bytes(size)] as const),
        (each) => expectRoundTrip(storage, each),
      )
    },
  )

  test(
    'storage.add.large',
    should('Tens of megabytes pass in one request and come back exactly', api, {
      needs: ['storage', 'allow.large'],
    }),
    async ({ storage, content }) => expectRoundTrip(storage, content.bytes(48 << 20)),
  )

  test(
    'storage.add.binary-safe',
    must('Any bytes survive: all values, gzip, line ends, what looks like a form or like JSON', api, {
      needs,
    }),
    async ({ storage, content }) => {
      const odd: readonly (readonly [string, Content])[] = [
        ['all 256 values', literal(Uint8Array.from({ length: 256 }, (_, i) => i))],
        ['gzip', gzip(content.bytes(1000))],
        ['only line ends', literal('\r\n\r\n\n\r')],
        ['a line end at both ends', literal('\r\nbetween\r\n')],
        [
          'almost the boundary',
          literal(`\r\n--${boundary.slice(0, -1)}\r\nContent-Type: text/plain\r\n\r\n--`),
        ],
        ['JSON', literal('{"Hash":"QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH","Size":"6"}\n')],
        ['a byte order mark and broken UTF-8', literal(Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0x28, 0xff, 0))],
      ]
      await eachCase(odd, (each) => expectRoundTrip(storage, each))
    },
  )

  test(
    'storage.add.filename',
    must('The file name has no influence on the CID', deployment, { needs }),
    async ({ storage, content }) => {
      const bytes = content.bytes(700)
      const names = ['plain.bin', 'größe-层.tar', 'two words.txt', 'a "quoted" name', '%41', null]
      const cids: string[] = []
      for (const filename of names) cids.push(hashOf(await storage.add(bytes, { filename })))
      expectOne(cids, 'under every name and without one')
    },
  )

  test(
    'storage.add.filename-path',
    should(
      'A file name with a path is cleaned or refused: no Name is absolute or leads upwards',
      command('add'),
      {
        needs,
      },
    ),
    async ({ storage, content }) => {
      for (const filename of ['../../etc/passwd', '/a/b.txt']) {
        const answer = await storage.add(content.bytes(100), { filename })
        expectThat(answer.status < 500, `no 5xx for the file name ${filename}`, String(answer.status))
        const lines = answer.status === 200 ? step('reading what add told', () => jsonLines(answer)) : []
        const names = lines.map(({ Name }) => String(Name))
        const outside = names.find((name) => name.startsWith('/') || name.split('/').includes('..'))
        expectThat(outside === undefined, `no Name that leaves the upload for ${filename}`, String(outside))
      }
    },
  )

  test(
    'storage.add.part-type',
    must('The Content-Type of the part has no influence on the CID', deployment, { needs }),
    async ({ storage, content }) => {
      const bytes = content.bytes(700)
      const cids: string[] = []
      for (const type of ['text/plain', 'application/octet-stream', null]) {
        cids.push(hashOf(await storage.add(bytes, { type })))
      }
      expectOne(cids, 'whatever the type of the part')
    },
  )

  test(
    'storage.add.framing',
    must('A body in chunked transfer coding is read like one with Content-Length', rfc(9112)('7.1'), {
      needs,
    }),
    async ({ storage, content }) => {
      const bytes = content.bytes(300_000)
      const cids = [hashOf(await storage.add(bytes)), hashOf(await storage.add(bytes, { chunked: true }))]
      expectOne(cids, 'however the body is framed')
    },
  )

  test(
    'storage.add.read-after-write',
    must('Content is readable as soon as add has answered', deployment, { needs }),
    async ({ storage, content }) => {
      for (let i = 0; i < 20; i += 1) await expectRoundTrip(storage, content.bytes(1000 + i))
    },
  )

  test(
    'storage.add.concurrent',
    must('Parallel adds do not mix: each is told the CID of its own content', deployment, { needs }),
    async ({ storage, content }) => {
      const contents = Array.from({ length: 8 }, (_, i) => content.bytes(100_000 + 50_000 * i))
      const add = async (each: Content) => hashOf(await storage.add(each))
      const together = await Promise.all([...contents, ...contents].map(add))
      for (const [i, each] of contents.entries()) {
        const [first = '', second = ''] = [together[i], together[i + contents.length]]
        // Before it is added again, which would make good what was lost.
        expectBytes(await storage.cat(first), each.bytes)
        expectOne([await add(each), first, second], 'alone and in parallel')
      }
    },
  )
})
