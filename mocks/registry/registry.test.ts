import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import { type Served, serve } from '../serve.ts'
import { openPgMem } from './database.ts'
import { createRegistry, type Registry } from './registry.ts'
import { type StandInStorage, standInStorage } from './stand-in-storage.contract.ts'

const secret = 'a secret of more than thirty-two characters'
const ociManifest = 'application/vnd.oci.image.manifest.v1+json'
const accounts = [
  { username: 'owner', password: 'p+%&=:é ü"\\', grants: [{ repository: '*', actions: ['pull', 'push'] }] },
  { username: 'reader', password: 'read', grants: [{ repository: 'team/*', actions: ['pull'] }] },
  { username: 'stranger', password: 'none', grants: [] },
] as const

let storage: StandInStorage
let registry: Registry
let served: Served
const lines: string[] = []

beforeAll(async () => {
  storage = standInStorage()
  registry = await createRegistry({
    database: await openPgMem(),
    storage: storage.handle,
    clock: createClock(),
    accounts,
    signingSecret: secret,
    log: (line) => lines.push(line),
  })
  served = await serve(registry.handle)
})
afterAll(async () => {
  await registry.close()
  await served.close()
})

const sha256 = (bytes: Uint8Array | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

async function tokenFor(username: string, ...scopes: string[]): Promise<string> {
  const account = accounts.find((one) => one.username === username)
  const query = scopes.map((scope) => `scope=${encodeURIComponent(scope)}`).join('&')
  const response = await fetch(`${served.url}/token?${query}`, {
    headers: { authorization: basic(username, account?.password ?? '') },
  })
  expect(response.status).toBe(200)
  const { token } = (await response.json()) as { token: string }
  return token
}

type Client = (method: string, path: string, init?: RequestInit) => Promise<Response>

async function clientOf(repository: string): Promise<Client> {
  const token = await tokenFor('owner', `repository:${repository}:pull,push`)
  return (method, path, init = {}) =>
    fetch(new URL(path, served.url), {
      ...init,
      method,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    })
}

async function pushBlob(call: Client, repository: string, bytes: Uint8Array): Promise<string> {
  const started = await call('POST', `/v2/${repository}/blobs/uploads/`)
  expect(started.status).toBe(202)
  const digest = sha256(bytes)
  const closed = await call('PUT', `${started.headers.get('location')}?digest=${digest}`, {
    body: bytes as BodyInit,
  })
  expect(closed.status).toBe(201)
  return digest
}

async function pushImage(call: Client, repository: string, tag: string) {
  const config = await pushBlob(call, repository, Buffer.from('{}'))
  const layerBytes = randomBytes(100_000)
  const layer = await pushBlob(call, repository, layerBytes)
  const manifest = `{ "schemaVersion":2,\n  "mediaType":"${ociManifest}","é":"\\u00e9",
    "config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"${config}","size":2},
    "layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"${layer}","size":100000}]}\n`
  const put = await call('PUT', `/v2/${repository}/manifests/${tag}`, {
    body: manifest,
    headers: { 'content-type': ociManifest },
  })
  expect(put.status).toBe(201)
  return { manifest, digest: sha256(manifest), layer, layerBytes, config }
}

const codeOf = async (response: Response) =>
  ((await response.json()) as { errors: { code: string }[] }).errors[0]?.code

describe('tokens', () => {
  test('who has no token is challenged for the scope that the request needs', async () => {
    const ping = await fetch(`${served.url}/v2/`)
    expect(ping.status).toBe(401)
    expect(ping.headers.get('www-authenticate')).toBe(
      `Bearer realm="${served.url}/token",service="127.0.0.1"`,
    )
    expect(await codeOf(ping)).toBe('UNAUTHORIZED')
    const mount = await fetch(`${served.url}/v2/a/b/blobs/uploads/?mount=${sha256('x')}&from=c`, {
      method: 'POST',
    })
    expect(mount.headers.get('www-authenticate')).toContain(
      'scope="repository:a/b:pull,push repository:c:pull"',
    )
    const bad = await fetch(`${served.url}/v2/a/manifests/x`, {
      method: 'HEAD',
      headers: { authorization: 'bearer x.y.z' },
    })
    expect(bad.status).toBe(401)
    expect(bad.headers.get('www-authenticate')).toContain('scope="repository:a:pull",error="invalid_token"')
  })

  test('the same token comes from every encoding of the credentials', async () => {
    const { username, password } = accounts[0]
    const form = new URLSearchParams({ username, password, scope: 'repository:x:pull' })
    const oauth = new URLSearchParams({
      username,
      password,
      scope: 'repository:x:pull',
      grant_type: 'password',
      service: 's',
      client_id: 'c',
    })
    const json = { username, password, scope: 'repository:x:pull' }
    const authorization = basic(username, password)
    const answers = await Promise.all([
      fetch(`${served.url}/token`, { method: 'POST', body: form }),
      fetch(`${served.url}/token`, { method: 'POST', body: oauth }),
      fetch(`${served.url}/token`, {
        method: 'POST',
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json' },
      }),
      fetch(`${served.url}/token?scope=repository:x:pull`, { method: 'POST', headers: { authorization } }),
      fetch(`${served.url}/token?scope=repository:x:pull&service=127.0.0.1&account=owner`, {
        headers: { authorization },
      }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const body = (await answer.json()) as Record<string, string>
      expect(body['access_token']).toBe(body['token'])
      const claims = JSON.parse(Buffer.from(body['token']?.split('.')[1] ?? '', 'base64url').toString())
      expect(claims).toMatchObject({ sub: 'owner', iss: '127.0.0.1', aud: '127.0.0.1' })
      expect(claims.access).toEqual([{ type: 'repository', name: 'x', actions: ['pull'] }])
    }
  })

  test('nobody gets more than is asked for and granted', async () => {
    const claims = async (username: string, ...scopes: string[]) =>
      JSON.parse(
        Buffer.from((await tokenFor(username, ...scopes)).split('.')[1] ?? '', 'base64url').toString(),
      ).access
    expect(await claims('reader', 'repository:team/x:pull,push repository:other:pull')).toEqual([
      { type: 'repository', name: 'team/x', actions: ['pull'] },
    ])
    expect(await claims('owner')).toEqual([])
    expect(
      await claims(
        'owner',
        'repository:x:push',
        'repository:x:pull',
        'planet:x:pull',
        'repository:*:pull',
        'repository::pull',
        'repository:y:*',
      ),
    ).toEqual([{ type: 'repository', name: 'x', actions: ['pull', 'push'] }])
  })

  test.each([
    ['a wrong password', { username: 'owner', password: 'wrong-marker' }, 401],
    ['an unknown user', { username: 'who', password: 'wrong-marker' }, 401],
    ['no password', { username: 'owner' }, 401],
    ['an empty password', { username: 'owner', password: '' }, 401],
    ['numbers', { username: 1, password: 2 }, 400],
    ['null', { username: null, password: 'x' }, 400],
    ['a list', [{ username: 'owner', password: 'x' }], 400],
    ['too much', { username: 'x'.repeat(1 << 20), password: 'x' }, 413],
  ])('%s is refused', async (_, credentials, status) => {
    const answer = await fetch(`${served.url}/token`, {
      method: 'POST',
      body: JSON.stringify(credentials),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toMatch(/marker|"token"/)
  })

  test('a refresh token brings tokens, and is none itself', async () => {
    const { username, password } = accounts[0]
    const ask = async (fields: Record<string, string>) =>
      (await (
        await fetch(`${served.url}/token`, { method: 'POST', body: new URLSearchParams(fields) })
      ).json()) as Record<string, string>
    const first = await ask({ grant_type: 'password', username, password, access_type: 'offline' })
    const refresh = first['refresh_token'] ?? ''
    const second = await ask({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      scope: 'repository:x:pull',
    })
    expect(second['scope']).toBe('repository:x:pull')
    const use = (token: string | undefined) =>
      fetch(`${served.url}/v2/`, { headers: { authorization: `Bearer ${token}` } })
    expect((await use(second['access_token'])).status).toBe(200)
    expect((await use(refresh)).status).toBe(401)
    expect(
      await ask({ grant_type: 'refresh_token', refresh_token: second['token'] ?? '' }),
    ).not.toHaveProperty('token')
  })

  test('a token without the right is sent for a better one, or denied where there is none to be had', async () => {
    const readOnly = await tokenFor('owner', 'repository:team/x:pull')
    const better = await fetch(`${served.url}/v2/team/x/blobs/uploads/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${readOnly}` },
    })
    expect(better.status).toBe(401)
    expect(better.headers.get('www-authenticate')).toContain(
      'scope="repository:team/x:pull,push",error="insufficient_scope"',
    )
    const reader = await tokenFor('reader', 'repository:team/x:pull,push')
    const denied = await fetch(`${served.url}/v2/team/x/blobs/uploads/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader}` },
    })
    expect(denied.status).toBe(403)
    expect(await codeOf(denied)).toBe('DENIED')
  })
})

describe('images', () => {
  test('what is pushed comes back, byte for byte, by tag and by digest', async () => {
    const call = await clientOf('team/app')
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
    expect(storage.pins.size).toBeGreaterThan(1)
  })

  test('a blob is found only where it was pushed or mounted', async () => {
    const call = await clientOf('team/source')
    const { layer } = await pushImage(call, 'team/source', 'x')
    const token = await tokenFor('owner', 'repository:team/target:pull,push', 'repository:team/source:pull')
    const both = (method: string, path: string) =>
      fetch(`${served.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    expect((await both('GET', `/v2/team/target/blobs/${layer}`)).status).toBe(404)
    const blind = await clientOf('team/target')
    const refused = await blind('POST', `/v2/team/target/blobs/uploads/?mount=${layer}&from=team/source`)
    expect(refused.status).toBe(202)
    expect((await blind('POST', `/v2/team/target/blobs/uploads/?mount=${layer}`)).status).toBe(202)
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
    ['bytes=5-3', 200, null, 'abcdefghij'],
    ['bytes=0-1,4-5', 200, null, 'abcdefghij'],
    ['lines=0-1', 200, null, 'abcdefghij'],
  ])('range %s', async (range, status, contentRange, text) => {
    const call = await clientOf('team/ranges')
    const digest = await pushBlob(call, 'team/ranges', Buffer.from('abcdefghij'))
    const part = await call('GET', `/v2/team/ranges/blobs/${digest}`, { headers: { range } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      status,
      contentRange,
      text,
    ])
  })

  test('chunks go in order, streamed ones too, and a refused one leaves no trace', async () => {
    const call = await clientOf('team/chunks')
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
    const call = await clientOf('team/wrong')
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
    const call = await clientOf('team/damaged')
    for (const size of [1000, 3_000_000]) {
      const bytes = randomBytes(size)
      const digest = await pushBlob(call, 'team/damaged', bytes)
      const cid = `Qm${digest.slice(7)}`
      for (const damaged of [
        Buffer.from(bytes).fill(0, 10, 20),
        bytes.subarray(0, size - 5),
        Buffer.concat([bytes, bytes]),
      ]) {
        storage.contents.set(cid, damaged)
        const outcome = await call('GET', `/v2/team/damaged/blobs/${digest}`)
          .then(async (response) => [response.status, (await response.arrayBuffer()).byteLength] as const)
          .catch(() => 'cut' as const)
        expect(size === 1000 ? outcome[0] : outcome).toBe(size === 1000 ? 502 : 'cut')
      }
      storage.contents.delete(cid)
      expect((await call('GET', `/v2/team/damaged/blobs/${digest}`)).status).toBe(503)
      expect((await call('GET', '/v2/')).status).toBe(200)
    }
    expect(lines.some((line) => line.includes('blob_damaged'))).toBe(true)
  })

  test('tags and repositories are listed in pages', async () => {
    const call = await clientOf('team/list')
    const { manifest } = await pushImage(call, 'team/list', 'b')
    for (const tag of ['a', 'c', 'B']) {
      await call('PUT', `/v2/team/list/manifests/${tag}`, {
        body: manifest,
        headers: { 'content-type': ociManifest },
      })
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
    const stranger = await tokenFor('stranger')
    const hidden = await fetch(`${served.url}/v2/_catalog`, {
      headers: { authorization: `Bearer ${stranger}` },
    })
    expect(await hidden.json()).toEqual({ repositories: [] })
  })

  test('tags, manifests and blobs are deleted, each by itself', async () => {
    const call = await clientOf('team/gone')
    const { manifest, digest, layer } = await pushImage(call, 'team/gone', 'one')
    await call('PUT', '/v2/team/gone/manifests/two', {
      body: manifest,
      headers: { 'content-type': ociManifest },
    })
    expect((await call('DELETE', '/v2/team/gone/manifests/one')).status).toBe(202)
    expect((await call('GET', '/v2/team/gone/manifests/one')).status).toBe(404)
    expect((await call('GET', '/v2/team/gone/manifests/two')).status).toBe(200)
    expect((await call('DELETE', `/v2/team/gone/manifests/${digest}`)).status).toBe(202)
    expect((await call('GET', '/v2/team/gone/manifests/two')).status).toBe(404)
    expect((await call('GET', `/v2/team/gone/blobs/${layer}`)).status).toBe(200)
    expect((await call('DELETE', `/v2/team/gone/blobs/${layer}`)).status).toBe(202)
    expect((await call('DELETE', `/v2/team/gone/blobs/${layer}`)).status).toBe(404)
    expect((await call('GET', `/v2/team/gone/blobs/${layer}`)).status).toBe(404)
    const never = await clientOf('team/never')
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
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) expect(Object.keys(JSON.parse(line))).toEqual(fields)
    expect(lines.join('\n')).not.toMatch(/eyJ|wrong-marker/)
  })
})
