import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import { createStorageNode, type StorageNode } from './node.ts'

interface Vector {
  readonly content: string
  readonly size: number
  readonly options: string
  readonly hash: string
  readonly cumulative: string
}

const vectors = readFileSync(new URL('./golden-cids.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Vector => {
    const [content = '', size = '', options = '', hash = '', cumulative = ''] = line.split('\t')
    return { content, size: Number(size), options: options === '-' ? '' : options, hash, cumulative }
  })

const chunk = 64 * 1024

/** Fills a chunk that begins at `offset` of the content. */
function fill(content: string, offset: number): Buffer {
  if (content === 'zeros') return Buffer.alloc(chunk)
  if (content === 'ff') return Buffer.alloc(chunk, 0xff)
  if (content === 'pattern-mod251') return patterns.subarray(offset % 251, (offset % 251) + chunk)
  // One chunk of this costs 2048 hashes, and each is asked for once per set of options.
  const seed = /^sha256-stream\((.*)\)$/.exec(content)?.[1]
  if (seed !== undefined) return remember(`${content} ${offset}`, () => digests(seed, offset / 32))
  return Buffer.from(JSON.parse(`"${/^utf8\((.*)\)$/.exec(content)?.[1] ?? ''}"`))
}

const patterns = Buffer.from(Array.from({ length: chunk + 251 }, (_, at) => at % 251))

const known = new Map<string, Buffer>()

function remember(key: string, make: () => Buffer): Buffer {
  const chunk = known.get(key) ?? make()
  if (known.size < 100) known.set(key, chunk)
  return chunk
}

function digests(seed: string, first: number): Buffer {
  const all = Array.from({ length: chunk / 32 }, (_, index) => {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(first + index))
    return createHash('sha256').update(seed).update(counter).digest()
  })
  return Buffer.concat(all)
}

function* body({ content, size }: Vector): Generator<Uint8Array> {
  yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n')
  for (let offset = 0; offset < size; offset += chunk) {
    // A copy: chunks of a body are the node's, and it may hand them to another thread.
    yield Uint8Array.from(fill(content, offset).subarray(0, Math.min(chunk, size - offset)))
  }
  yield Buffer.from('\r\n--b--\r\n')
}

let node: StorageNode
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'golden-'))
  node = await createStorageNode({ folder, clock: createClock() })
})
afterAll(async () => {
  await node.close()
  await rm(folder, { recursive: true })
})

async function add(vector: Vector): Promise<{ Hash: string; Size: string }> {
  const chunks = body(vector)
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: new ReadableStream({
      pull(controller) {
        const { done, value } = chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    }),
    duplex: 'half',
  }
  const request = new Request(`http://node/api/v0/add?only-hash=true&${vector.options}`, init)
  const { Hash, Size } = JSON.parse(await (await node.rpc(request, {})).text())
  return { Hash, Size }
}

const groups: readonly [string, readonly Vector[]][] = [
  ['up to 10 MB, with every set of options', vectors.filter(({ size }) => size <= 10_000_000)],
  [
    'up to 52 MB, with the two sets of options that most clients use',
    vectors.filter(
      ({ content, size, options }) =>
        size > 10_000_000 &&
        size < 60_000_000 &&
        ['', 'cid-version=1'].includes(options) &&
        !content.startsWith('sha256'),
    ),
  ],
]

test.for(groups)('gives the CIDs and sizes of Kubo: %s', { timeout: 120_000 }, async ([, group]) => {
  expect(group.length).toBeGreaterThan(10)
  for (const vector of group) {
    const { content, size, options, hash, cumulative } = vector
    expect(await add(vector), `${content} ${size} ${options}`).toEqual({ Hash: hash, Size: cumulative })
  }
})

test.runIf(process.env['GOLDEN'] === 'all')(
  'gives the CIDs and sizes of Kubo: all of them, up to 1 GiB',
  { timeout: 1_200_000 },
  async () => {
    for (const vector of vectors) {
      const { content, size, options, hash, cumulative } = vector
      expect(await add(vector), `${content} ${size} ${options}`).toEqual({ Hash: hash, Size: cumulative })
    }
  },
)
