import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { type Database, openPgMem, openPostgres } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import {
  type Call,
  imageOf,
  ociManifest,
  pushBlob,
  putManifest,
  type Rig,
  sha256,
  startRig,
} from './rig.contract.ts'
import { standInStorage } from './stand-in-storage.contract.ts'

const postgres = await startEmbeddedPostgres()
const memory = await openPgMem()
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
  await postgres.close()
})

async function startInstances(open: () => Promise<Database>): Promise<Rig[]> {
  const store = standInStorage()
  const rigs = await Promise.all([1, 2, 3].map(async () => startRig({ store, database: await open() })))
  ends.push(async () => {
    for (const rig of rigs) {
      await rig.close()
      await rig.database.close()
    }
  })
  return rigs
}

describe.each([
  ['pg-mem', await startInstances(async () => memory)],
  [`PostgreSQL ${postgres.version}`, await startInstances(() => openPostgres(postgres.connection))],
])('three instances on %s', (_, rigs) => {
  /** Sends each request to the next instance, all with the first one's token. */
  async function around(repository: string): Promise<Call> {
    const token = await (rigs[0] as Rig).tokenFor('owner', `repository:${repository}:pull,push`)
    let turn = 0
    return (method, path, init = {}) => {
      turn += 1
      const { url } = rigs[turn % rigs.length] as Rig
      return fetch(new URL(path, url), {
        ...init,
        method,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      })
    }
  }
  async function everywhere(call: Call, path: string): Promise<Response[]> {
    return Promise.all(rigs.map(() => call('GET', path)))
  }

  test('every request of an upload may reach another instance, and what is acknowledged is everywhere', async () => {
    const call = await around('many/app')
    const bytes = randomBytes(3000)
    const location = (await call('POST', '/v2/many/app/blobs/uploads/')).headers.get('location') ?? ''
    for (const [first, last] of [
      [0, 999],
      [1000, 1999],
    ] as const) {
      const body = bytes.subarray(first, last + 1)
      const taken = await call('PATCH', location, { body, headers: { 'content-range': `${first}-${last}` } })
      expect([taken.status, taken.headers.get('range')]).toEqual([202, `0-${last}`])
    }
    expect((await call('GET', location)).headers.get('range')).toBe('0-1999')
    const closed = await call('PUT', `${location}?digest=${sha256(bytes)}`, { body: bytes.subarray(2000) })
    expect(closed.status).toBe(201)
    await pushBlob(call, 'many/app', Buffer.from('{}'))
    const manifest = imageOf(Buffer.from('{}'), [bytes])
    expect((await putManifest(call, 'many/app', 'v', manifest)).status).toBe(201)
    for (const pulled of await everywhere(call, '/v2/many/app/manifests/v'))
      expect(await pulled.text()).toBe(manifest)
    for (const pulled of await everywhere(call, `/v2/many/app/blobs/${sha256(bytes)}`)) {
      expect(Buffer.from(await pulled.arrayBuffer()).equals(bytes)).toBe(true)
    }
    expect((await call('DELETE', '/v2/many/app/manifests/v')).status).toBe(202)
    for (const gone of await everywhere(call, '/v2/many/app/manifests/v')) expect(gone.status).toBe(404)
    expect((await call('DELETE', `/v2/many/app/blobs/${sha256(bytes)}`)).status).toBe(202)
    for (const gone of await everywhere(call, `/v2/many/app/blobs/${sha256(bytes)}`))
      expect(gone.status).toBe(404)
  })

  test('parallel pushes of one blob all succeed, and of one session only one', async () => {
    const call = await around('many/blob')
    const bytes = randomBytes(5000)
    const pushes = await Promise.all(Array.from({ length: 12 }, () => pushBlob(call, 'many/blob', bytes)))
    expect(new Set(pushes.map(({ status }) => status))).toEqual(new Set([201]))
    const location = (await call('POST', '/v2/many/blob/blobs/uploads/')).headers.get('location') ?? ''
    const chunks = await Promise.all(
      Array.from({ length: 6 }, () =>
        call('PATCH', location, { body: bytes, headers: { 'content-range': '0-4999' } }),
      ),
    )
    expect(chunks.map(({ status }) => status).sort()).toEqual([202, 416, 416, 416, 416, 416])
    const closings = await Promise.all(
      Array.from({ length: 6 }, () => call('PUT', `${location}?digest=${sha256(bytes)}`)),
    )
    expect(closings.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404, 404])
  })

  test('a race for one tag leaves one of the manifests, the same everywhere, listed once', async () => {
    const call = await around('many/race')
    await pushBlob(call, 'many/race', Buffer.from('{}'))
    const manifests = Array.from({ length: 16 }, (_, at) => imageOf(Buffer.from('{}'), [], { at }))
    const puts = await Promise.all(manifests.map((text) => putManifest(call, 'many/race', 'tag', text)))
    expect(new Set(puts.map(({ status }) => status))).toEqual(new Set([201]))
    const seen = await Promise.all(
      (await everywhere(call, '/v2/many/race/manifests/tag')).map((one) => one.text()),
    )
    expect(new Set(seen).size).toBe(1)
    expect(manifests).toContain(seen[0])
    expect(await (await call('GET', '/v2/many/race/tags/list')).json()).toEqual({
      name: 'many/race',
      tags: ['tag'],
    })
  })

  test('pushes and deletions at once never fail, and end in a state that an order explains', async () => {
    const call = await around('many/both')
    const config = Buffer.from('{"a":1}')
    const manifest = imageOf(config, [])
    const operations = [
      () => pushBlob(call, 'many/both', config),
      () => putManifest(call, 'many/both', 'tag', manifest, ociManifest),
      () => call('DELETE', `/v2/many/both/manifests/${sha256(manifest)}`),
      () => call('DELETE', `/v2/many/both/blobs/${sha256(config)}`),
      () => call('DELETE', '/v2/many/both/manifests/tag'),
      () => call('GET', '/v2/many/both/manifests/tag'),
    ]
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all(
        [...operations, ...operations, ...operations].map((operation) => operation()),
      )
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      const { tags } = (await (await call('GET', '/v2/many/both/tags/list')).json()) as { tags: string[] }
      const [tagged, stored] = [
        await call('GET', '/v2/many/both/manifests/tag'),
        await call('GET', `/v2/many/both/manifests/${sha256(manifest)}`),
      ]
      expect(tagged.status === 200).toBe(tags.includes('tag'))
      expect(tagged.status === 200 && stored.status !== 200).toBe(false)
    }
  })
})
