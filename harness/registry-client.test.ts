import { describe, expect, test } from 'vitest'
import { TargetFailure } from './errors.ts'
import { fakeHttp, type Reply, type Sent } from './fake-http.test-support.ts'
import { createRedactor } from './redactor.ts'
import { createRegistryClient, type RegistryAccess, scopesOf } from './registry-client.ts'
import type { AccountName, RegistryTarget } from './target.ts'

const url = 'http://r.example:5000'
const realm = `${url}/token`
const target: RegistryTarget = { url, accounts: { owner: { username: 'o', password: 'owner-secret' } } }
const bearer: RegistryAccess = { scheme: 'bearer', realm, service: 'r', tokenRequest: 'get-basic' }
const challenge = (scope: string) => ({
  'WWW-Authenticate': `Bearer realm="${realm}",service="r",scope="${scope}"`,
})

interface Given {
  readonly access?: RegistryAccess
  readonly target?: Partial<RegistryTarget>
  readonly account?: AccountName | 'anonymous'
}

/** A registry whose token service numbers its tokens; `reply` answers everything else. */
function connected(reply: (sent: Sent) => Reply, given: Given = {}) {
  let issued = 0
  const { http, sent } = fakeHttp((one) => {
    if (!one.url.startsWith(realm)) return reply(one)
    issued += 1
    return [200, {}, { token: `token-${issued}` }]
  })
  const client = createRegistryClient({
    target: { ...target, ...given.target },
    access: given.access ?? bearer,
    account: given.account ?? 'owner',
    http,
    redactor: createRedactor(),
    tokens: new Map(),
  })
  const seen = () =>
    sent.map((one) => `${one.method} ${one.url.slice(url.length)} ${one.headers['authorization'] ?? '-'}`)
  return { client, sent, seen }
}

const basic = `Basic ${Buffer.from('o:owner-secret').toString('base64')}`
const asked = (...scopes: string[]) =>
  `GET /token?${new URLSearchParams([['service', 'r'], ...scopes.map((scope) => ['scope', scope])])} ${basic}`

describe('credentials', () => {
  test('a token is fetched for the repository and kept', async () => {
    const { client, seen } = connected(() => [200])
    await client.get('/v2/a/tags/list')
    await client.put('/v2/a/manifests/t')
    expect(seen()).toEqual([
      asked('repository:a:pull,push'),
      'GET /v2/a/tags/list Bearer token-1',
      'PUT /v2/a/manifests/t Bearer token-1',
    ])
  })

  test('requests side by side share one token', async () => {
    const { client, seen } = connected(() => [200])
    await Promise.all([client.get('/v2/a/tags/list'), client.get('/v2/a/tags/list')])
    expect(seen().filter((line) => line.includes('/token'))).toHaveLength(1)
  })

  test('a token that is refused is replaced once', async () => {
    const { client, seen } = connected(({ headers }) =>
      headers['authorization'] === 'Bearer token-1' ? [401, challenge('repository:a:pull')] : [200],
    )
    expect((await client.get('/v2/a/tags/list')).status).toBe(200)
    expect(seen()).toEqual([
      asked('repository:a:pull,push'),
      'GET /v2/a/tags/list Bearer token-1',
      asked('repository:a:pull'),
      'GET /v2/a/tags/list Bearer token-2',
    ])
  })

  test('a refusal of the second token stands', async () => {
    const { client, seen } = connected(() => [401, challenge('repository:a:pull,push')])
    expect((await client.get('/v2/a/tags/list')).status).toBe(401)
    expect(seen()).toHaveLength(4)
  })

  test('the access that a challenge asks for is what the next token is for', async () => {
    const { client, seen } = connected(({ headers }) =>
      headers['authorization'] === 'Bearer token-2' ? [202] : [401, challenge('repository:a:delete')],
    )
    expect((await client.delete('/v2/a/manifests/t')).status).toBe(202)
    expect(seen()).toContain(asked('repository:a:delete'))
  })

  test('scopes that a requirement chose are kept', async () => {
    const { client, seen } = connected(() => [401, challenge('repository:a:pull,push')])
    await client.get('/v2/a/tags/list', { scopes: ['repository:b:pull'] })
    expect(seen().filter((line) => line.includes('/token'))).toEqual([
      asked('repository:b:pull'),
      asked('repository:b:pull'),
    ])
  })

  test('a given token is used as it is, and its refusal stands', async () => {
    const { client, seen } = connected(() => [401, challenge('x:y:z')], { target: { token: 'given' } })
    expect((await client.get('/v2/')).status).toBe(401)
    expect(seen()).toEqual(['GET /v2/ Bearer given'])
  })

  test('an open registry that turns out to want tokens gets them', async () => {
    const { client, seen } = connected(
      ({ headers }) => (headers['authorization'] ? [200] : [401, challenge('repository:a:pull')]),
      { access: { scheme: 'open' } },
    )
    expect((await client.get('/v2/a/tags/list')).status).toBe(200)
    expect(seen()[0]).toBe('GET /v2/a/tags/list -')
  })

  test('a token that reaches less far than one request needs is kept for others', async () => {
    const refusal = {
      'WWW-Authenticate': `${challenge('repository:a:delete')['WWW-Authenticate']},error="insufficient_scope"`,
    }
    const { client, seen } = connected(({ method, headers }) =>
      method === 'DELETE' && headers['authorization'] === 'Bearer token-1' ? [401, refusal] : [202],
    )
    await client.delete('/v2/a/manifests/t')
    await client.put('/v2/a/manifests/t')
    expect(seen().at(-1)).toBe('PUT /v2/a/manifests/t Bearer token-1')
  })

  test('an open registry that turns out to want Basic gets it from then on', async () => {
    const { client, seen } = connected(
      ({ method, headers }) =>
        method === 'GET' || headers['authorization']
          ? [200]
          : [401, { 'WWW-Authenticate': 'Basic realm="r"' }],
      { access: { scheme: 'open' } },
    )
    await client.get('/v2/a/tags/list')
    expect((await client.put('/v2/a/manifests/t')).status).toBe(200)
    await client.put('/v2/a/manifests/t')
    expect(seen()).toEqual([
      'GET /v2/a/tags/list -',
      'PUT /v2/a/manifests/t -',
      `PUT /v2/a/manifests/t ${basic}`,
      `PUT /v2/a/manifests/t ${basic}`,
    ])
  })

  test('requests side by side that turn out to want Basic all get it', async () => {
    const { client } = connected(
      ({ headers }) => (headers['authorization'] ? [202] : [401, { 'WWW-Authenticate': 'Basic realm="r"' }]),
      { access: { scheme: 'open' } },
    )
    const posts = await Promise.all([1, 2].map(() => client.post('/v2/a/blobs/uploads/')))
    expect(posts.map(({ status }) => status)).toEqual([202, 202])
  })

  test('a refusal of what Basic was sent with stands', async () => {
    const { client, seen } = connected(() => [401, { 'WWW-Authenticate': 'Basic realm="r"' }], {
      access: { scheme: 'open' },
    })
    expect((await client.get('/v2/')).status).toBe(401)
    expect(seen()).toEqual(['GET /v2/ -', `GET /v2/ ${basic}`])
  })

  test('Basic is sent where the registry wants Basic', async () => {
    const { client, seen } = connected(() => [200], { access: { scheme: 'basic' } })
    await client.get('/v2/')
    expect(seen()).toEqual([`GET /v2/ ${basic}`])
  })

  test('with Basic says what is missing where nobody named an account', async () => {
    const { client } = connected(() => [200], { access: { scheme: 'basic' }, target: { accounts: {} } })
    await expect(client.get('/v2/')).rejects.toThrow('owner has none')
  })

  test('an anonymous client sends none, also when challenged', async () => {
    const { client, seen } = connected(() => [401, challenge('x:y:z')], { account: 'anonymous' })
    expect((await client.get('/v2/')).status).toBe(401)
    expect(seen()).toEqual(['GET /v2/ -'])
  })
})

describe('redirects', () => {
  test('are followed, without credentials to another host', async () => {
    const { client, sent } = connected(({ url: asked }) =>
      asked.startsWith(url) ? [307, { Location: 'http://cdn.example/x?sig=1' }] : [200],
    )
    expect((await client.get('/v2/a/blobs/sha256:0')).url).toBe('http://cdn.example/x?sig=1')
    expect(sent.at(-1)?.headers).toEqual({})
  })

  test('carry no credentials to another host that a requirement chose itself', async () => {
    const { client, sent } = connected(
      ({ url: asked }) => (asked.startsWith(url) ? [307, { Location: 'http://cdn.example/x' }] : [200]),
      { account: 'anonymous' },
    )
    await client.get('/v2/a/blobs/sha256:0', {
      headers: { Authorization: 'Bearer made', range: 'bytes=0-1' },
    })
    expect(sent.map(({ headers }) => headers)).toEqual([
      { authorization: 'Bearer made', range: 'bytes=0-1' },
      { range: 'bytes=0-1' },
    ])
  })

  test('are not followed on a write, nor where that is not wanted', async () => {
    const { client } = connected(() => [307, { Location: '/v2/b' }])
    expect((await client.post('/v2/a/blobs/uploads/')).status).toBe(307)
    expect((await client.get('/v2/a/blobs/sha256:0', { follow: false })).status).toBe(307)
  })

  test('end after five', async () => {
    const { client, seen } = connected(() => [307, { Location: '/v2/' }], { account: 'anonymous' })
    expect((await client.get('/v2/')).status).toBe(307)
    expect(seen()).toHaveLength(6)
  })

  test.each(['ftp://a/x', 'http://', '//:0'])('to %s are a failure of the target', async (location) => {
    const { client } = connected(() => [302, { Location: location }])
    await expect(client.get('/v2/')).rejects.toThrow(TargetFailure)
  })
})

test('an upload goes on with the access that it began with, whatever its URL looks like', async () => {
  const { client, seen } = connected(({ method }) =>
    method === 'POST' ? [202, { Location: '/session/1?s=x' }] : [201],
  )
  await client.post('/v2/a/blobs/uploads/')
  await client.put(`${url}/session/1?s=x&digest=sha256:0`)
  expect(seen().at(-1)).toBe('PUT /session/1?s=x&digest=sha256:0 Bearer token-1')
})

test.each([
  ['/v2/', []],
  ['/v2/_catalog', ['registry:catalog:*']],
  ['/v2/a/b/tags/list?n=1', ['repository:a/b:pull,push']],
  ['/v2/a/blobs/uploads/', ['repository:a:pull,push']],
  ['/v2/a/blobs/uploads/id/part', ['repository:a:pull,push']],
  ['/v2/a/blobs/uploads', ['repository:a:pull,push']],
  ['/v2/tags/blobs/manifests/manifests/blobs', ['repository:tags/blobs/manifests:pull,push']],
  ['/v2/a/referrers/sha256:0', ['repository:a:pull,push']],
  ['/v2/a/blobs/uploads/?mount=sha256:0&from=b%2Fc', ['repository:a:pull,push', 'repository:b/c:pull']],
  ['/v2/a/blobs/uploads/?mount=sha256:0&from=a', ['repository:a:pull,push']],
])('%s needs %j', (path, scopes) => {
  expect(scopesOf(`${url}${path}`)).toEqual(scopes)
})
