import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import { createStorageNode } from './node.ts'
import { serveNode } from './served-node.contract.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-node-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const hour = 3_600_000

test('collects what is not pinned at the first tick above the watermark, and never before', async () => {
  const clock = createClock()
  const began = clock.now()
  await clock.set(began)
  await using served = await serveNode({ clock, storageMax: 1_000_000, gcWatermark: 50 })
  const { post } = served
  const has = async (cid: string) => (await post(`block/stat?arg=${cid}`)).ok
  const [pinned] = await served.add({ a: randomBytes(200_000) })
  const [loose] = await served.add({ b: randomBytes(200_000) }, 'pin=false')
  await clock.set(began + hour)
  expect(await has(loose?.Hash ?? '')).toBe(true)
  const [more] = await served.add({ c: randomBytes(200_000) }, 'pin=false')
  await clock.set(began + 2 * hour - 1)
  expect(await has(loose?.Hash ?? '')).toBe(true)
  await clock.set(began + 2 * hour)
  expect(await Promise.all([pinned, loose, more].map((file) => has(file?.Hash ?? '')))).toEqual([
    true,
    false,
    false,
  ])
})

test('takes more than StorageMax: the limit is soft', async () => {
  await using served = await serveNode({ storageMax: 1000 })
  const [file] = await served.add({ a: randomBytes(5000) })
  await served.clock.set(served.clock.now() + hour)
  expect((await served.post(`cat?arg=${file?.Hash}`)).status).toBe(200)
})

test('waits with a collection for an upload that pins, and keeps what it adds', async () => {
  await using served = await serveNode()
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const body = (async function* () {
    yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nslow ')
    await held
    yield Buffer.from('content\r\n--b--')
  })()
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const init = { method: 'POST', headers, body: readable(body), duplex: 'half' }
  const adding = served.node.rpc(new Request('http://node/api/v0/add', init), {})
  let collected = false
  const collecting = served.post('repo/gc').then(async (response) => {
    await response.text()
    collected = true
  })
  // The collection is under way for certain once another request has come and gone.
  await served.post('id')
  expect(collected).toBe(false)
  finish()
  const { Hash } = JSON.parse(await (await adding).text())
  await collecting
  expect(await (await served.post(`cat?arg=${Hash}`)).text()).toBe('slow content')
})

const readable = (source: AsyncGenerator<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })

test('a client that leaves in the middle of an upload holds nothing up', async () => {
  await using served = await serveNode()
  const before = await (await served.post('repo/stat')).json()
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const upload = request(`${served.rpc}/add?progress=true`, { method: 'POST', headers })
  upload.on('error', () => {})
  upload.write('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n')
  upload.write(randomBytes(600_000))
  const [answer] = await once(upload, 'response')
  await once(answer, 'data')
  answer.on('error', () => {})
  upload.destroy()
  expect((await served.post('repo/gc')).status).toBe(200)
  expect(await (await served.post('repo/stat')).json()).toEqual(before)
})

test('refuses an upload that a reset overtook, and returns to the start', async () => {
  await using served = await serveNode()
  const before = await (await served.post('repo/stat')).json()
  await served.add({ gone: 'content from before' })
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const body = (async function* () {
    yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n')
    yield randomBytes(3_000_000)
    await held
    yield Buffer.from('late\r\n--b--')
  })()
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const init = { method: 'POST', headers, body: readable(body), duplex: 'half' }
  const late = served.node.rpc(new Request('http://node/api/v0/add?pin=false', init), {})
  await served.post('id')
  await served.node.reset()
  finish()
  const answer = await late
  expect(answer.status).toBe(500)
  expect(await answer.json()).toMatchObject({ Message: expect.stringContaining('was reset') })
  expect(await (await served.post('repo/stat')).json()).toEqual(before)
  const [again] = await served.add({ again: 'content from before' })
  expect((await served.post(`cat?arg=${again?.Hash}`)).status).toBe(200)
})

test('finds everything again after a start on the same folder', async () => {
  const large = randomBytes(3_000_000)
  let hashes: (string | undefined)[] = []
  let stat: unknown
  {
    await using first = await serveNode({ folder })
    const files = [{ large }, { small: 'small' }]
    hashes = await Promise.all(files.map(async (file) => (await first.add(file))[0]?.Hash))
    stat = await (await first.post('repo/stat')).json()
  }
  await using second = await serveNode({ folder })
  expect(await (await second.post('repo/stat')).json()).toEqual(stat)
  const content = await (await second.post(`cat?arg=${hashes[0]}`)).arrayBuffer()
  expect(Buffer.from(content).equals(large)).toBe(true)
  expect((await second.post(`pin/ls?arg=${hashes[1]}`)).status).toBe(200)
})

test('a kill in the middle of a write costs that write and nothing else', async () => {
  let kept: string | undefined
  {
    await using first = await serveNode({ folder })
    kept = (await first.add({ a: 'kept' }))[0]?.Hash
  }
  // A kill leaves bytes that no line names, a segment that no line names, and a line that lacks its last digits.
  await appendFile(join(folder, 'segment-1'), 'bytes of an upload that never ended')
  await appendFile(join(folder, 'segment-99'), 'bytes of a large one')
  await appendFile(join(folder, 'journal'), '+ EiAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA 1 0 12')
  await using second = await serveNode({ folder })
  expect(await (await second.post(`cat?arg=${kept}`)).text()).toBe('kept')
  expect(await (await second.post('repo/stat')).json()).toMatchObject({ NumObjects: 2 })
  expect(await readdir(folder)).not.toContain('segment-99')
  const [added] = await second.add({ b: 'added after the kill' })
  expect(await (await second.post(`cat?arg=${added?.Hash}`)).text()).toBe('added after the kill')
})

test('sends what it has of a damaged file and cuts the connection', async () => {
  await using served = await serveNode({ folder })
  const [file] = await served.add({ large: randomBytes(3_000_000) })
  const segments = (await readdir(folder)).filter((name) => name.startsWith('segment-'))
  for (const name of segments.slice(1)) await truncate(join(folder, name), 1_000_000)
  const response = await fetch(`${served.gateway}/ipfs/${file?.Hash}`)
  expect(response.status).toBe(500)
})

test('gives the space of collected content back to the disk', async () => {
  await using served = await serveNode({ folder })
  await served.add({ large: randomBytes(3_000_000) }, 'pin=false')
  const names = Array.from({ length: 20 }, (_, index) => `file-${index}`)
  for (const name of names) await served.add({ [name]: randomBytes(50_000) }, 'pin=false')
  const [kept] = await served.add({ kept: 'kept' })
  await (await served.post('repo/gc')).text()
  const { RepoSize } = await (await served.post('repo/stat')).json()
  expect(RepoSize).toBeLessThan(100)
  expect((await readdir(folder)).filter((name) => name.startsWith('segment-')).length).toBeLessThanOrEqual(2)
  expect(await (await served.post(`cat?arg=${kept?.Hash}`)).text()).toBe('kept')
})

test('counts equal content once', async () => {
  await using served = await serveNode()
  const content = randomBytes(600_000)
  await served.add({ a: content })
  const once = await (await served.post('repo/stat')).json()
  await served.add({ b: content })
  expect(await (await served.post('repo/stat')).json()).toEqual(once)
})

test('rejects a folder that it cannot have', async () => {
  const options = { folder: '/dev/null/storage', clock: createClock() }
  await expect(createStorageNode(options)).rejects.toThrow('ENOTDIR')
})
