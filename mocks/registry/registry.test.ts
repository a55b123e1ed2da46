import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Call,
  codeOf,
  imageOf,
  ociManifest,
  pushBlob,
  putManifest,
  type Rig,
  sha256,
  startRig,
} from './rig.contract.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

async function pushImage(call: Call, repository: string, tag: string) {
  const config = Buffer.from('{}')
  const layerBytes = randomBytes(100_000)
  for (const blob of [config, layerBytes]) expect((await pushBlob(call, repository, blob)).status).toBe(201)
  const manifest = imageOf(config, [layerBytes])
  expect((await putManifest(call, repository, tag, manifest)).status).toBe(201)
  return { manifest, digest: sha256(manifest), layer: sha256(layerBytes), layerBytes }
}
describe('images', () => {
  test('what is pushed comes back, byte for byte, by tag and by digest', async () => {
    const call = await rig.as('team/app')
    const { manifest, digest, layer, layerBytes } = await pushImage(call, 'team/app', 'latest')
    for (const reference of ['latest', digest]) {
      const pulled = await call('GET', `/v2/team/app/manifests/${reference}`)
      expect(pulled.status).toBe(200)
      expect(pulled.headers.get('content-type')).toBe(ociManifest)
      expect(pulled.headers.get('docker-content-digest')).toBe(digest)
      expect(await pulled.text()).toBe(manifest)
      const head = await call('HEAD', `/v2/team/app/manifests/${reference}`)
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(manifest)))
      expect(await head.text()).toBe('')
    }
    const blob = await call('GET', `/v2/team/app/blobs/${layer}`)
    expect(Buffer.from(await blob.arrayBuffer()).equals(layerBytes)).toBe(true)
    const head = await call('HEAD', `/v2/team/app/blobs/${layer}`)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '100000'])
    expect(rig.storage.pins.size).toBeGreaterThan(1)
  })

  test('a blob is found only where it was pushed or mounted', async () => {
    const call = await rig.as('team/source')
    const { layer } = await pushImage(call, 'team/source', 'x')
    const token = await rig.tokenFor(
      'owner',
      'repository:team/target:pull,push',
      'repository:team/source:pull',
    )
    const both = (method: string, path: string) =>
      fetch(`${rig.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    expect((await both('GET', `/v2/team/target/blobs/${layer}`)).status).toBe(404)
    const blind = await rig.as('team/target')
    const refused = await blind('POST', `/v2/team/target/blobs/uploads/?mount=${layer}&from=team/source`)
    expect(refused.headers.get('www-authenticate')).toContain(
      'scope="repository:team/target:pull,push repository:team/source:pull",error="insufficient_scope"',
    )
    const anonymous = await blind('POST', `/v2/team/target/blobs/uploads/?mount=${layer}`)
    expect(anonymous.status).toBe(202)
    const nowhere = await blind('POST', `/v2/team/target/blobs/uploads/?mount=${layer}&from=team/never`)
    expect(nowhere.status).toBe(202)
    expect((await blind('GET', `/v2/team/target/blobs/${layer}`)).status).toBe(404)
    const mounted = await both('POST', `/v2/team/target/blobs/uploads/?mount=${layer}&from=team/source`)
    expect(mounted.status).toBe(201)
    expect((await both('GET', mounted.headers.get('location') ?? '')).status).toBe(200)
  })

  test.each([
    ['bytes=0-0', 206, 'bytes 0-0/10', 'a'],
    ['bytes=3-', 206, 'bytes 3-9/10', 'defghij'],
    ['bytes=-2', 206, 'bytes 8-9/10', 'ij'],
    ['bytes=-99', 206, 'bytes 0-9/10', 'abcdefghij'],
    ['bytes=5-99', 206, 'bytes 5-9/10', 'fghij'],
    ['bytes=10-', 416, 'bytes */10', ''],
    ['bytes=-0', 416, 'bytes */10', ''],
    ['bytes=5-3', 416, 'bytes */10', ''],
    ['bytes=0-1,4-5', 200, null, 'abcdefghij'],
    ['lines=0-1', 200, null, 'abcdefghij'],
  ])('range %s', async (range, status, contentRange, text) => {
    const call = await rig.as('team/ranges')
    const bytes = Buffer.from('abcdefghij')
    const digest = sha256(bytes)
    await pushBlob(call, 'team/ranges', bytes)
    const part = await call('GET', `/v2/team/ranges/blobs/${digest}`, { headers: { range } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      status,
      contentRange,
      text,
    ])
  })

  test('chunks go in order, streamed ones too, and a refused one leaves no trace', async () => {
    const call = await rig.as('team/chunks')
    const bytes = randomBytes(3000)
    const started = await call('POST', '/v2/team/chunks/blobs/uploads/')
    const location = started.headers.get('location') ?? ''
    const patch = (first: number, last: number, body = bytes.subarray(first, last + 1)) =>
      call('PATCH', location, { body, headers: { 'content-range': `${first}-${last}` } })
    expect((await patch(5, 9)).status).toBe(416)
    const good = await patch(0, 999)
    expect([good.status, good.headers.get('range')]).toEqual([202, '0-999'])
    for (const [first, last] of [
      [0, 999],
      [500, 1499],
      [1001, 1999],
    ] as const) {
      expect((await patch(first, last)).status).toBe(416)
    }
    const wrongSize = await patch(1000, 1999, bytes.subarray(0, 10))
    expect([wrongSize.status, await codeOf(wrongSize)]).toEqual([400, 'SIZE_INVALID'])
    const status = await call('GET', location)
    expect([status.status, status.headers.get('range')]).toEqual([204, '0-999'])
    const streamed = await call('PATCH', location, { body: bytes.subarray(1000, 2000) })
    expect(streamed.headers.get('range')).toBe('0-1999')
    const partial = await call('PUT', `${location}?digest=${sha256(bytes)}`)
    expect([partial.status, await codeOf(partial)]).toEqual([400, 'DIGEST_INVALID'])
    const closed = await call('PUT', `${location}?digest=${sha256(bytes)}`, {
      body: bytes.subarray(2000),
      headers: { 'content-range': '2000-2999' },
    })
    expect(closed.status).toBe(201)
    const pulled = await call('GET', closed.headers.get('location') ?? '')
    expect(Buffer.from(await pulled.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await call('PATCH', location, { body: 'x' })).status).toBe(404)
  })

  test('content that does not match its digest is refused in every form, and nothing of it is kept', async () => {
    const call = await rig.as('team/wrong')
    const claimed = sha256('something else')
    const location = async () =>
      (await call('POST', '/v2/team/wrong/blobs/uploads/')).headers.get('location') ?? ''
    const body = Buffer.from('not that')
    const streamed = await location()
    await call('PATCH', streamed, { body })
    const answers = [
      await call('PUT', `${await location()}?digest=${claimed}`, { body }),
      await call('POST', `/v2/team/wrong/blobs/uploads/?digest=${claimed}`, { body }),
      await call('PUT', `${streamed}?digest=${claimed}`),
      await call('PUT', `${await location()}?digest=${claimed}`),
      await call('PUT', `${await location()}?digest=sha256:abc`, { body }),
      await call('PUT', `${await location()}?digest=md5:${'a'.repeat(32)}`, { body }),
      await call('PUT', await location(), { body }),
    ]
    for (const answer of answers)
      expect([answer.status, await codeOf(answer)]).toEqual([400, 'DIGEST_INVALID'])
    for (const digest of [claimed, sha256(body)]) {
      expect((await call('GET', `/v2/team/wrong/blobs/${digest}`)).status).toBe(404)
    }
  })

  test('damaged content is never a good answer', async () => {
    const call = await rig.as('team/damaged')
    for (const size of [1000, 3_000_000]) {
      const bytes = randomBytes(size)
      const digest = sha256(bytes)
      await pushBlob(call, 'team/damaged', bytes)
      const cid = `Qm${digest.slice(7)}`
      for (const damaged of [
        Buffer.from(bytes).fill(0, 10, 20),
        bytes.subarray(0, size - 5),
        Buffer.concat([bytes, bytes]),
      ]) {
        rig.storage.contents.set(cid, damaged)
        const outcome = await call('GET', `/v2/team/damaged/blobs/${digest}`)
          .then(async (response) => [response.status, (await response.arrayBuffer()).byteLength] as const)
          .catch(() => 'cut' as const)
        expect(size === 1000 ? outcome[0] : outcome).toBe(size === 1000 ? 502 : 'cut')
      }
      rig.storage.contents.delete(cid)
      expect((await call('GET', `/v2/team/damaged/blobs/${digest}`)).status).toBe(503)
      expect((await call('GET', '/v2/')).status).toBe(200)
    }
    expect(rig.lines.some((line) => line.includes('blob_damaged'))).toBe(true)
  })

  test('tags and repositories are listed in pages', async () => {
    const call = await rig.as('team/list')
    const { manifest } = await pushImage(call, 'team/list', 'b')
    for (const tag of ['a', 'c', 'B']) {
      await putManifest(call, 'team/list', tag, manifest)
    }
    const list = async (path: string) => {
      const response = await call('GET', path)
      return [await response.json(), response.headers.get('link')]
    }
    expect(await list('/v2/team/list/tags/list')).toEqual([
      { name: 'team/list', tags: ['B', 'a', 'b', 'c'] },
      null,
    ])
    expect(await list('/v2/team/list/tags/list?n=2')).toEqual([
      { name: 'team/list', tags: ['B', 'a'] },
      '</v2/team/list/tags/list?n=2&last=a>; rel="next"',
    ])
    expect(await list('/v2/team/list/tags/list?n=2&last=a')).toEqual([
      { name: 'team/list', tags: ['b', 'c'] },
      null,
    ])
    expect(await list('/v2/team/list/tags/list?n=0')).toEqual([{ name: 'team/list', tags: [] }, null])
    expect((await call('GET', '/v2/team/list/tags/list?n=-1')).status).toBe(400)
    expect((await call('GET', '/v2/_catalog?n=1')).headers.get('link')).toContain('/v2/_catalog?n=1&last=')
    expect(JSON.stringify(await list('/v2/_catalog'))).toContain('team/list')
    const stranger = await rig.tokenFor('stranger')
    const hidden = await fetch(`${rig.url}/v2/_catalog`, {
      headers: { authorization: `Bearer ${stranger}` },
    })
    expect(await hidden.json()).toEqual({ repositories: [] })
  })

  test('tags, manifests and blobs are deleted, each by itself', async () => {
    const call = await rig.as('team/gone')
    const { manifest, digest, layer } = await pushImage(call, 'team/gone', 'one')
    await putManifest(call, 'team/gone', 'two', manifest)
    expect((await call('DELETE', '/v2/team/gone/manifests/one')).status).toBe(202)
    expect((await call('GET', '/v2/team/gone/manifests/one')).status).toBe(404)
    expect((await call('GET', '/v2/team/gone/manifests/two')).status).toBe(200)
    expect((await call('DELETE', `/v2/team/gone/manifests/${digest}`)).status).toBe(202)
    expect((await call('GET', '/v2/team/gone/manifests/two')).status).toBe(404)
    expect((await call('GET', `/v2/team/gone/blobs/${layer}`)).status).toBe(200)
    expect((await call('DELETE', `/v2/team/gone/blobs/${layer}`)).status).toBe(202)
    expect((await call('DELETE', `/v2/team/gone/blobs/${layer}`)).status).toBe(404)
    expect((await call('GET', `/v2/team/gone/blobs/${layer}`)).status).toBe(404)
    const never = await rig.as('team/never')
    expect((await never('DELETE', '/v2/team/never/manifests/x')).status).toBe(404)
  })

  test('every event is one line with the nine fields, and no line holds a token', () => {
    const fields = [
      'timestamp',
      'level',
      'service',
      'event',
      'repository',
      'digest',
      'ipfs_cid',
      'size',
      'duration_ms',
    ]
    expect(rig.lines.length).toBeGreaterThan(20)
    for (const line of rig.lines) expect(Object.keys(JSON.parse(line))).toEqual(fields)
    expect(rig.lines.join('\n')).not.toMatch(/eyJ/)
  })
})
