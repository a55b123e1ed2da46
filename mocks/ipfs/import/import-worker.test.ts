/** The worker runs compiled only, unless Node strips types: these tests need a build. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../../clock.ts'
import { createStorageNode, type StorageNode } from '../node.ts'

const compiled = fileURLToPath(new URL('../../../dist/mocks/ipfs/node.js', import.meta.url))

let folder: string
let node: StorageNode
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-worker-'))
  const built: { createStorageNode: typeof createStorageNode } = await import(compiled)
  node = await built.createStorageNode({ folder, clock: createClock() })
})
afterEach(async () => {
  await node.close()
  await rm(folder, { recursive: true, force: true })
})

/** Adds content in chunks as they come from a socket; `between` runs after half of them. */
async function add(to: StorageNode, content: Uint8Array, query = '', between?: () => Promise<void>) {
  let at = -1
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at === -1) {
        controller.enqueue(Buffer.from('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n'))
        at = 0
      } else if (at < content.length) {
        if (at === 65536 * Math.floor(content.length / 131072)) await between?.()
        controller.enqueue(new Uint8Array(content.subarray(at, at + 65536)))
        at += 65536
      } else {
        controller.enqueue(Buffer.from('\r\n--b--'))
        controller.close()
      }
    },
  })
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  const response = await to.rpc(new Request(`http://node/api/v0/add?${query}`, init), {})
  return { status: response.status, answer: JSON.parse(await response.text()) }
}

const post = async (path: string) =>
  node.rpc(new Request(`http://node/api/v0/${path}`, { method: 'POST' }), {})

test.skipIf(!existsSync(compiled))('builds the same DAG as the main thread, and stores it', async () => {
  const plainFolder = await mkdtemp(join(tmpdir(), 'plain-'))
  const plain = await createStorageNode({ folder: plainFolder, clock: createClock() })
  for (const query of [
    '',
    'cid-version=1',
    'chunker=size-1000&max-file-links=5',
    'only-hash=true',
    'mode=420',
  ]) {
    const content = randomBytes(5_000_001)
    const { answer } = await add(node, content, query)
    expect(answer).toEqual((await add(plain, content, query)).answer)
    if (query === 'only-hash=true') continue
    const read = Buffer.from(await (await post(`cat?arg=${answer.Hash}`)).arrayBuffer())
    expect(read.equals(content)).toBe(true)
  }
  expect((await post('pin/verify')).status).toBe(200)
  await plain.close()
  await rm(plainFolder, { recursive: true, force: true })
})

test.skipIf(!existsSync(compiled))(
  'keeps uploads apart that come together, and equal content once',
  async () => {
    const contents = Array.from({ length: 4 }, () => randomBytes(2_000_000))
    const twice = [...contents, ...contents]
    const hashes = (await Promise.all(twice.map((content) => add(node, content)))).map(
      ({ answer }) => answer.Hash,
    )
    expect(hashes.slice(4)).toEqual(hashes.slice(0, 4))
    expect(new Set(hashes).size).toBe(4)
    const { RepoSize } = JSON.parse(await (await post('repo/stat')).text())
    expect(RepoSize).toBeLessThan(8_100_000)
  },
)

test.skipIf(!existsSync(compiled))('refuses an upload that a reset overtook', async () => {
  const { status } = await add(node, randomBytes(5_000_000), '', () => node.reset())
  expect(status).toBe(500)
  expect((await readdir(folder)).filter((name) => name.startsWith('segment-')).length).toBeLessThanOrEqual(2)
  expect((await add(node, randomBytes(2_000_000))).status).toBe(200)
})
