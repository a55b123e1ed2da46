/** The client of npm, unchanged. What it is given back was recorded from Kubo 0.42.0 with the same calls. */
import { create, type KuboRPCClient } from 'kubo-rpc-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedNode, serveNode } from './served-node.contract.ts'

let served: ServedNode
let client: KuboRPCClient
beforeAll(async () => {
  served = await serveNode()
  client = create({ url: served.rpc })
})
afterAll(() => served[Symbol.asyncDispose]())

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

const bytesOf = async (source: AsyncIterable<Uint8Array>) => Buffer.concat(await all(source))
const fileCid = 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'

test('adds, with and without options', async () => {
  const added = await client.add({ path: 'hello.txt', content: 'hello world' })
  expect({ ...added, cid: added.cid.toString() }).toEqual({ path: 'hello.txt', cid: fileCid, size: 19 })
  const modern = await client.add('hello world', { cidVersion: 1, pin: false })
  expect(modern.cid.toString()).toBe('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e')
  const hashed = await client.add('only hashed', { onlyHash: true })
  await expect(client.block.stat(hashed.cid)).rejects.toThrow('block was not found locally')
})

test('adds a tree, and lists and reads it', async () => {
  const files = [
    { path: 'dir/a.txt', content: 'hello world' },
    { path: 'dir/sub/b.bin', content: new Uint8Array(600_000).fill(97) },
  ]
  const added = await all(client.addAll(files, { wrapWithDirectory: true }))
  expect(added.map(({ path }) => path)).toEqual(['dir/a.txt', 'dir/sub/b.bin', 'dir/sub', 'dir', ''])
  const root = added.at(-1)?.cid.toString() ?? ''
  const listed = await all(client.ls(`${root}/dir`))
  expect(listed.map(({ name, type, size }) => ({ name, type, size }))).toEqual([
    { name: 'a.txt', type: 'file', size: 11 },
    { name: 'sub', type: 'dir', size: 0 },
  ])
  expect(
    (await bytesOf(client.cat(`${root}/dir/sub/b.bin`, { offset: 599_990, length: 100 }))).toString(),
  ).toBe('a'.repeat(10))
  expect((await bytesOf(client.get(`${root}/dir/a.txt`))).includes('hello world')).toBe(true)
})

test('keeps mode and time that a file brings', async () => {
  const added = await client.add({
    path: 'x',
    content: 'hello world',
    mode: 0o644,
    mtime: new Date(1_700_000_000_000),
  })
  expect(added).toMatchObject({ mode: 0o644, mtime: { secs: 1_700_000_000 } })
})

test('pins, lists pins and unpins', async () => {
  const { cid } = await client.add('to be pinned', { pin: false })
  expect((await client.pin.add(cid)).toString()).toBe(cid.toString())
  const pins = await all(client.pin.ls({ type: 'recursive' }))
  expect(pins.map((pin) => `${pin.cid} ${pin.type}`)).toContain(`${cid} recursive`)
  const [named] = await all(client.pin.ls({ paths: cid }))
  expect(named?.cid.toString()).toBe(cid.toString())
  await client.pin.rm(cid)
  await expect(client.pin.rm(cid)).rejects.toThrow('not pinned or pinned indirectly')
})

test('collects what is not pinned', async () => {
  const { cid } = await client.add('garbage', { pin: false })
  const removed = await all(client.repo.gc())
  const keys = removed.map(({ cid: gone }) => Buffer.from(gone?.multihash.digest ?? []).toString('hex'))
  expect(keys).toContain(Buffer.from(cid.multihash.digest).toString('hex'))
  await expect(bytesOf(client.cat(cid))).rejects.toThrow('block was not found locally')
})

test('exports and imports', async () => {
  const { cid } = await client.add(new Uint8Array(300_000).fill(1))
  const car = await bytesOf(client.dag.export(cid))
  await using other = await serveNode()
  const far = create({ url: other.rpc })
  const [imported] = await all(
    far.dag.import([
      (async function* () {
        yield car
      })(),
    ]),
  )
  expect(imported?.root.cid.toString()).toBe(cid.toString())
  expect((await bytesOf(far.cat(cid))).length).toBe(300_000)
})

test('asks the node about itself and its blocks', async () => {
  const id = await client.id()
  expect(id.agentVersion).toBe('kubo/0.42.0')
  expect(await client.isOnline()).toBe(true)
  expect((await client.version()).version).toBe('0.42.0')
  expect((await client.repo.stat()).storageMax).toBe(100_000_000_000n)
  expect(await client.repo.version()).toBe('18')
  const block = await client.block.put(Buffer.from('a block'))
  expect(Buffer.from(await client.block.get(block)).toString()).toBe('a block')
  expect(await client.block.stat(block)).toEqual({ cid: block, size: 7 })
  expect((await all(client.refs.local())).length).toBeGreaterThan(3)
  expect(await client.config.get('Datastore.StorageGCWatermark')).toBe(90)
  const stat = await client.files.stat(`/ipfs/${fileCid}`)
  expect(stat).toMatchObject({ size: 11, cumulativeSize: 19, blocks: 0, type: 'file' })
  const absent = 'QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nm'
  await expect(bytesOf(client.cat(absent))).rejects.toThrow(`could not find ${absent}`)
})
