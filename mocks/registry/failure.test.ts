import { randomBytes } from 'node:crypto'
import { request as open } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clock, createClock } from '../clock.ts'
import { type Database, openPgMem } from './database.ts'
import {
  type Call,
  codeOf,
  imageOf,
  pushBlob,
  putManifest,
  type Rig,
  sha256,
  startRig,
} from './rig.contract.ts'
import { DatabaseUnavailable } from './unavailable.ts'

const failed = (message: string) =>
  Response.json({ Message: message, Code: 0, Type: 'error' }, { status: 500 })

let clock: Clock
let rig: Rig
let call: Call
let database: Database & { down: boolean }

beforeEach(async () => {
  clock = createClock()
  const memory = await openPgMem()
  const lost = () => Promise.reject(new DatabaseUnavailable('gone'))
  database = {
    ...memory,
    down: false,
    query: (text, values) => (database.down ? lost() : memory.query(text, values)),
    transaction: (work) => (database.down ? lost() : memory.transaction(work)),
    within: (work) => (database.down ? lost() : (memory.within?.(work) ?? lost())),
  }
  rig = await startRig({ clock, database })
  call = await rig.as('app')
})
afterEach(() => rig.close())

test.each([
  ['cannot store', 'add', () => failed('write /data: no space left on device')],
  ['says nonsense', 'add', () => new Response('<html>')],
  ['names no CID', 'add', () => Response.json({ Hash: '../etc' })],
  ['cannot pin', 'pin/add', () => failed('pin: block was not found locally')],
  ['is unreachable', 'add', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5001'))],
])(
  'a push is not acknowledged when the storage node %s, and works when it does again',
  async (_, command, answer) => {
    const bytes = randomBytes(1000)
    rig.storage.intercept = (came) => (came === command ? answer() : undefined)
    const refused = await pushBlob(call, 'app', bytes)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    expect(await refused.text()).not.toMatch(/10\.0\.0\.7|device/)
    expect((await call('HEAD', `/v2/app/blobs/${sha256(bytes)}`)).status).toBe(404)
    rig.storage.intercept = () => undefined
    expect((await pushBlob(call, 'app', bytes)).status).toBe(201)
  },
)

test.each([
  ['at once', 0],
  ['after the first piece', 1],
])(
  'a storage node that refuses %s holds up neither a large push nor what comes after it',
  async (_, reads) => {
    const refusing = await startRig({
      async storage(request) {
        const reader = request.body?.getReader()
        for (let read = 0; read < reads; read += 1) await reader?.read()
        return failed('full')
      },
    })
    const pushing = await refusing.as('app')
    for (let round = 0; round < 3; round += 1) {
      expect((await pushBlob(pushing, 'app', Buffer.alloc(20_000_000))).status).toBe(503)
    }
    await refusing.close()
  },
)

test('a storage node that never answers is given up, on push and on pull', async () => {
  const impatient = await startRig({ patienceMs: 500 })
  const asking = await impatient.as('app')
  const bytes = randomBytes(1000)
  await pushBlob(asking, 'app', bytes)
  impatient.storage.intercept = () => new Promise<Response>(() => {})
  const waiting = [
    pushBlob(asking, 'app', randomBytes(10)),
    asking('GET', `/v2/app/blobs/${sha256(bytes)}`),
    asking('GET', `/v2/app/blobs/${sha256(bytes)}`, { headers: { range: 'bytes=1-2' } }),
  ]
  for (const answer of waiting) expect((await answer).status).toBe(503)
  await impatient.close()
})

test('a storage node that breaks off in a pull cuts it, and the log says so', async () => {
  const bytes = randomBytes(2_000_000)
  await pushBlob(call, 'app', bytes)
  rig.storage.intercept = (command) =>
    command === 'cat'
      ? new Response(
          new ReadableStream({
            pull(controller) {
              controller.enqueue(bytes.subarray(0, 1_000_000))
              controller.error(new Error('gone'))
            },
          }),
        )
      : undefined
  const cut = call('GET', `/v2/app/blobs/${sha256(bytes)}`).then((answer) => answer.arrayBuffer())
  await expect(cut).rejects.toThrow()
  expect(JSON.parse(rig.lines.at(-1) ?? '')).toMatchObject({
    event: 'storage_unavailable',
    level: 'error',
    digest: sha256(bytes),
  })
})

test('a clock that is moved ends nothing that is under way', async () => {
  const bytes = randomBytes(1000)
  let goOn = () => {}
  const moved = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const pushing = pushBlob(call, 'app', bytes)
  rig.storage.intercept = (command) =>
    command === 'pin/add' ? moved.then(() => Response.json({ Pins: [] })) : undefined
  while (!rig.storage.commands.includes('pin/add')) await new Promise(setImmediate)
  await clock.set(clock.now() + 3600_000)
  goOn()
  expect((await pushing).status).toBe(201)
})

test('manifests and tags are served while the storage node is down, and blobs are an outage, not unknown', async () => {
  const [config, layer] = [Buffer.from('{}'), randomBytes(100)]
  for (const blob of [config, layer]) await pushBlob(call, 'app', blob)
  await putManifest(call, 'app', 'x', imageOf(config, [layer]))
  rig.storage.intercept = () => failed('down')
  expect((await call('GET', '/v2/app/manifests/x')).status).toBe(200)
  expect((await call('GET', '/v2/app/tags/list')).status).toBe(200)
  expect((await call('GET', `/v2/app/blobs/${sha256(layer)}`)).status).toBe(503)
})

test('a lost database is an outage, and what it interrupted can be done again', async () => {
  const bytes = randomBytes(1000)
  const location = (await call('POST', '/v2/app/blobs/uploads/')).headers.get('location') ?? ''
  rig.storage.intercept = (command) => {
    database.down = command === 'pin/add'
    return undefined
  }
  const refused = await call('PUT', `${location}?digest=${sha256(bytes)}`, { body: bytes })
  expect([refused.status, refused.headers.has('retry-after'), await codeOf(refused)]).toEqual([
    503,
    true,
    'UNAVAILABLE',
  ])
  expect((await call('GET', '/v2/app/tags/list')).status).toBe(503)
  database.down = false
  rig.storage.intercept = () => undefined
  expect((await call('PUT', `${location}?digest=${sha256(bytes)}`, { body: bytes })).status).toBe(201)
})

test('a client that leaves in the middle leaves nothing, and the session is as before', async () => {
  const bytes = randomBytes(100_000)
  const location = (await call('POST', '/v2/app/blobs/uploads/')).headers.get('location') ?? ''
  const token = await rig.tokenFor('owner', 'repository:app:push')
  const leaving = open(new URL(`${location}?digest=${sha256(bytes)}`, rig.url), {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-length': bytes.byteLength },
  })
  leaving.on('error', () => undefined)
  const left = new Promise((resolve) => leaving.once('close', resolve))
  leaving.write(bytes.subarray(0, 50_000))
  while (!rig.storage.commands.includes('add')) await new Promise(setImmediate)
  leaving.destroy()
  await left
  expect((await call('HEAD', `/v2/app/blobs/${sha256(bytes)}`)).status).toBe(404)
  expect((await call('GET', location)).headers.get('range')).toBe('0-0')
  expect((await call('PUT', `${location}?digest=${sha256(bytes)}`, { body: bytes })).status).toBe(201)
  expect(rig.storage.pins).toEqual(new Set([`Qm${sha256(bytes).slice(7)}`]))
})

test('an abandoned session ends after a day, a cancelled one at once', async () => {
  const start = async () => (await call('POST', '/v2/app/blobs/uploads/')).headers.get('location') ?? ''
  const [cancelled, abandoned] = [await start(), await start()]
  expect((await call('DELETE', cancelled)).status).toBe(204)
  expect((await call('DELETE', cancelled)).status).toBe(404)
  expect((await call('PATCH', cancelled, { body: 'x' })).status).toBe(404)
  expect((await call('GET', abandoned)).status).toBe(204)
  await clock.set(clock.now() + 25 * 3600_000)
  const later = await rig.as('app')
  for (const answer of [await later('GET', abandoned), await later('PATCH', abandoned, { body: 'x' })]) {
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'BLOB_UPLOAD_UNKNOWN'])
  }
  expect(rig.lines.some((line) => line.includes('upload_expire'))).toBe(true)
})

test('content is unpinned when the last repository has given it up, and not before', async () => {
  const bytes = randomBytes(100)
  const cid = `Qm${sha256(bytes).slice(7)}`
  const other = await rig.as('other')
  await pushBlob(call, 'app', bytes)
  await pushBlob(other, 'other', bytes)
  expect(rig.storage.contents.size).toBe(1)
  await call('DELETE', `/v2/app/blobs/${sha256(bytes)}`)
  const someHours = async () => {
    for (let hour = 0; hour < 4; hour += 1) await clock.set(clock.now() + 3600_000)
  }
  await someHours()
  expect(rig.storage.pins.has(cid)).toBe(true)
  const again = await rig.as('other')
  await again('DELETE', `/v2/other/blobs/${sha256(bytes)}`)
  await someHours()
  expect(rig.storage.pins.has(cid)).toBe(false)
  expect((await pushBlob(await rig.as('app'), 'app', bytes)).status).toBe(201)
  expect(rig.storage.pins.has(cid)).toBe(true)
})

test('a stop lets what is under way end, and lets nothing new begin', async () => {
  let answer = (_: Response | undefined) => {}
  rig.storage.intercept = (command) =>
    command === 'pin/add'
      ? new Promise<Response>((resolve) => {
          answer = (response) => resolve(response ?? Response.json({ Pins: [] }))
        })
      : undefined
  const pushing = pushBlob(call, 'app', randomBytes(100))
  while (!rig.storage.commands.includes('pin/add')) await new Promise(setImmediate)
  const stopped = rig.registry.close()
  const refused = await call('GET', '/v2/')
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
  answer(undefined)
  expect((await pushing).status).toBe(201)
  await stopped
})
