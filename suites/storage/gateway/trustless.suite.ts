import type { CID } from 'multiformats/cid'
import { describe } from 'vitest'
import { concat } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectHeader, expectStatus, expectThat } from '../../../harness/finding.ts'
import { should } from '../../../harness/requirement.ts'
import { eachCase } from '../../each-case.ts'
import { step } from '../../step.ts'
import { blocksOf, keyOf } from '../car.ts'
import { cidOf, expectNamed } from '../cid.ts'
import type { Gateway } from '../gateway.ts'
import { test } from '../node.ts'
import { rebuild } from '../rebuild.ts'
import { cars, rawBlocks } from '../sources.ts'

const needs = ['gateway', 'storage'] as const
const rawType = 'application/vnd.ipld.raw'
const carType = 'application/vnd.ipld.car'
const severalBlocks = 600_000
const blockSize = 262_144

const rawBlock = (gateway: Gateway, cid: string) => gateway.get(`${cid}?format=raw`)
const has = (answer: Answer, type: string) =>
  answer.status === 200 && answer.header('content-type')?.startsWith(type) === true

/** The two ways to ask for a format. */
const ways = (gateway: Gateway, cid: string, format: string, type: string) =>
  [
    [`format=${format}`, () => gateway.get(`${cid}?format=${format}`)],
    [`Accept: ${type}`, () => gateway.get(cid, { headers: { accept: type } })],
  ] as const

describe('Content that need not be trusted', () => {
  test(
    'storage.gateway.raw.hash',
    should('A raw block hashes to the CID that was asked for', rawBlocks, { needs }),
    async ({ storage, gateway, content, skip }) => {
      const cid = await storage.stored(content.bytes(severalBlocks))
      skip(!has(await rawBlock(gateway, cid), rawType), 'the gateway offers no raw blocks')
      await eachCase(ways(gateway, cid, 'raw', rawType), async (ask) => {
        const answer = await ask()
        expectStatus(answer, 200)
        expectNamed(answer.body, cidOf(cid))
      })
    },
  )

  test(
    'storage.gateway.raw.whole',
    should('The raw blocks from the root down rebuild the content', rawBlocks, { needs }),
    async ({ storage, gateway, content, skip }) => {
      const bytes = content.bytes(severalBlocks)
      const cid = await storage.stored(bytes)
      skip(!has(await rawBlock(gateway, cid), rawType), 'the gateway offers no raw blocks')
      const block = async (each: CID) => {
        const answer = await rawBlock(gateway, each.toString())
        expectStatus(answer, 200)
        expectNamed(answer.body, each)
        return answer.body
      }
      expectSame(await rebuild(cidOf(cid), block), bytes.bytes)
    },
  )

  test(
    'storage.gateway.raw.type',
    should('A raw block has its own type, and another ETag than the file', rawBlocks, { needs }),
    async ({ storage, gateway, content, skip }) => {
      const cid = await storage.stored(content.bytes(500))
      const file = await gateway.get(cid)
      const block = await rawBlock(gateway, cid)
      const offered = has(block, rawType) || Buffer.compare(block.body, file.body) !== 0
      skip(block.status !== 200 || !offered, 'the gateway offers no raw blocks')
      expectHeader(block, 'content-type', new RegExp(`^${rawType}\\b`))
      const tag = expectHeader(block, 'etag')
      expectThat(tag !== file.header('etag'), 'another ETag than that of the file', tag)
    },
  )

  test(
    'storage.gateway.car',
    should('A CAR is well formed, and its blocks are named rightly and rebuild the content', cars, { needs }),
    async ({ storage, gateway, content, skip }) => {
      const bytes = content.bytes(severalBlocks)
      const cid = await storage.stored(bytes)
      skip(!has(await gateway.get(`${cid}?format=car`), carType), 'the gateway offers no CARs')
      await eachCase(ways(gateway, cid, 'car', carType), async (ask) => {
        const answer = await ask()
        expectStatus(answer, 200)
        const found = new Map(blocksOf(answer.body).map((block) => [keyOf(block.cid), block.bytes]))
        const block = (each: CID) => {
          const bytes = found.get(keyOf(each))
          expectThat(bytes !== undefined, `the block ${each} in the CAR`, `${found.size} others`)
          return bytes
        }
        expectSame(await rebuild(cidOf(cid), block), bytes.bytes)
      })
    },
  )

  test(
    'storage.gateway.car.order',
    should(
      'A CAR that states order=dfs and dups=n has each block of the content once, in depth-first order, and no others',
      cars,
      { needs },
    ),
    async ({ storage, gateway, content, skip }) => {
      const first = content.bytes(blockSize)
      const bytes = concat([first, content.bytes(blockSize), first, content.bytes(1000)])
      const cid = await storage.stored(bytes)
      const answer = await gateway.get(`${cid}?format=car`)
      const stated = answer.header('content-type') ?? ''
      skip(!has(answer, carType), 'the gateway offers no CARs')
      const orderly = /;\s*order="?dfs\b/.test(stated) && /;\s*dups="?n\b/.test(stated)
      skip(!orderly, 'the gateway states no order')
      const blocks = step('reading the CAR', () => blocksOf(answer.body))
      const wanted = new Map<string, CID>()
      await rebuild(cidOf(cid), (each) => {
        wanted.set(keyOf(each), each)
        const block = blocks.find((one) => keyOf(one.cid) === keyOf(each))
        expectThat(block !== undefined, `the block ${each} in the CAR`, `${blocks.length} others`)
        return block.bytes
      })
      const right = [...wanted.keys()].join() === blocks.map((one) => keyOf(one.cid)).join()
      expectThat(right, `the blocks ${list([...wanted.values()])}`, list(blocks.map((one) => one.cid)))
    },
  )
})

const list = (cids: readonly CID[]) => cids.join(', ')

function expectSame(seen: Uint8Array, wanted: Uint8Array): void {
  const same = Buffer.compare(seen, wanted) === 0
  expectThat(same, `the ${wanted.length} bytes of the content`, `${seen.length} bytes that differ`)
}
