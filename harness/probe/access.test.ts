import { describe, expect, test } from 'vitest'
import { TargetFailure } from '../errors.ts'
import { fakeHttp, type Reply, type Sent } from '../fake-http.test-support.ts'
import { createRedactor } from '../redactor.ts'
import type { RegistryTarget } from '../target.ts'
import { probeAccess } from './access.ts'

const url = 'https://registry.example'
const realm = 'https://auth.example/token'
const accounts = { owner: { username: 'o', password: 'p' } }
const bearer = { 'www-authenticate': `Bearer realm="${realm}",service="registry"` }

/** What is asked of the registry is refused with these headers; `token` answers what is asked of the token service. */
async function accessOf(
  headers: Readonly<Record<string, string>>,
  token: (sent: Sent, asked: number) => Reply = () => [200, {}, { token: 'a-token-of-the-service' }],
  target: Partial<RegistryTarget> = { accounts },
) {
  const asked: Sent[] = []
  const { http } = fakeHttp((one) => {
    if (one.url.startsWith(url)) return [401, headers]
    asked.push(one)
    return token(one, asked.length)
  })
  const redactor = createRedactor()
  const access = await probeAccess(http, redactor, { url, ...target }, 'assay/r1')
  return { access, asked, redactor }
}

describe('without a token service', () => {
  test.each([
    ['Basic', { 'www-authenticate': 'Basic realm="x"' }, 'basic'],
    ['BASIC', { 'www-authenticate': 'BASIC realm="x"' }, 'basic'],
    ['another scheme', { 'www-authenticate': 'Negotiate' }, 'open'],
    ['no challenge', {}, 'open'],
    [
      'Bearer without a realm, and Basic',
      { 'www-authenticate': 'Bearer service="x", Basic realm="y"' },
      'basic',
    ],
  ])('%s', async (_, headers, scheme) => {
    expect((await accessOf(headers, undefined, {})).access).toEqual({ scheme })
  })

  test('where anybody may read, who writes is challenged', async () => {
    const asked: string[] = []
    const { http } = fakeHttp(({ method, url: at, headers }) => {
      asked.push(`${method} ${at.slice(url.length)}`)
      return method === 'GET' || headers['authorization']
        ? [200]
        : [401, { 'www-authenticate': 'Basic realm="x"' }]
    })
    const access = (mayWrite: boolean, target: Partial<RegistryTarget> = { accounts }) =>
      probeAccess(http, createRedactor(), { url, ...target }, 'assay/r1', mayWrite)
    expect(await access(false)).toEqual({ scheme: 'open' })
    expect(await access(true, {})).toEqual({ scheme: 'open' })
    expect(asked).toEqual(['GET /v2/', 'GET /v2/'])
    expect(await access(true)).toEqual({ scheme: 'basic' })
    expect(asked[3]).toBe(`DELETE /v2/assay/r1/probe/manifests/sha256:${'0'.repeat(64)}`)
  })

  test('a Basic challenge beside an answer 200 asks for nothing', async () => {
    const { http } = fakeHttp(() => [200, { 'www-authenticate': 'Basic realm="x"' }])
    expect(await probeAccess(http, createRedactor(), { url }, 'a')).toEqual({ scheme: 'open' })
  })
})

/** The owner's credentials are sent to a registry that takes none, and to one that answers this to them. */
async function refusedAt(
  headers: Readonly<Record<string, string>>,
  given: Partial<RegistryTarget>,
  reply: Reply,
) {
  const { http } = fakeHttp((one) => (one.headers['authorization'] ? reply : [401, headers]))
  return (await probeAccess(http, createRedactor(), { url, ...given }, 'assay/r1')).refused
}

describe('credentials that are refused', () => {
  const wantsBasic = { 'www-authenticate': 'Basic realm="x"' }
  const small = { 'www-authenticate': `Bearer realm="${realm}",error="insufficient_scope"` }

  test.each([
    ['a username and a password', wantsBasic, { accounts }],
    ['a token', bearer, { token: 'given' }],
  ])('%s, at the root', async (_, headers, given) => {
    expect(await refusedAt(headers, given, [401, headers])).toBe('GET /v2/ with them answered 401')
    expect(await refusedAt(headers, given, [200])).toBeUndefined()
    expect(await refusedAt(headers, given, [503])).toBeUndefined()
  })

  test('a token that does not reach as far as the root is no wrong one', async () => {
    expect(await refusedAt(bearer, { token: 'given' }, [401, small])).toBeUndefined()
  })

  test('by the token service', async () => {
    const { access } = await accessOf(bearer, ({ method }) => (method === 'GET' ? [401] : [405]))
    expect(access.refused).toBe(
      `get-basic at ${realm} answered 401, post-json at ${realm} answered 405, ` +
        `post-form at ${realm} answered 405, post-basic at ${realm} answered 405`,
    )
  })

  test.each([
    ['a failure of the token service', 503],
    ['an answer without a token', 200],
  ])('%s says nothing of them', async (_, status) => {
    const { access } = await accessOf(bearer, ({ method }) => (method === 'GET' ? [401] : [status]))
    expect(access.refused).toBeUndefined()
  })

  const breaksOff = (): never => {
    throw new TargetFailure('connection reset')
  }

  test('a way that breaks off says nothing of them, and neither does a root that does', async () => {
    const { access } = await accessOf(bearer, ({ method }) => (method === 'GET' ? [401] : breaksOff()))
    expect(access).toEqual({ scheme: 'bearer', realm, service: 'registry' })
    const { http } = fakeHttp((one) => (one.headers['authorization'] ? breaksOff() : [401, wantsBasic]))
    expect(await probeAccess(http, createRedactor(), { url, accounts }, 'assay/r1')).toEqual({
      scheme: 'basic',
    })
  })

  test('a registry that anybody may read is open when it breaks off where it is asked who writes', async () => {
    const { http } = fakeHttp(({ method }) => (method === 'DELETE' ? breaksOff() : [200]))
    expect(await probeAccess(http, createRedactor(), { url, accounts }, 'assay/r1')).toEqual({
      scheme: 'open',
    })
  })
})

describe('with a token service', () => {
  test('the first way that gives a token is kept, and the token is secret', async () => {
    const { access, asked, redactor } = await accessOf(bearer)
    expect(access).toEqual({ scheme: 'bearer', realm, service: 'registry', tokenRequest: 'get-basic' })
    expect(asked).toHaveLength(1)
    const { searchParams } = new URL(asked[0]?.url ?? '')
    expect([...searchParams]).toEqual([
      ['service', 'registry'],
      ['scope', 'repository:assay/r1/probe:pull,push'],
    ])
    expect(redactor.redact('a-token-of-the-service')).not.toContain('token-of')
  })

  test('a challenge without a service', async () => {
    const { access } = await accessOf({ 'www-authenticate': `Bearer realm="${realm}"` })
    expect(access).toEqual({ scheme: 'bearer', realm, tokenRequest: 'get-basic' })
  })

  test('the ways are tried in their order', async () => {
    const { access } = await accessOf(bearer, ({ method, headers }) =>
      method === 'POST' && headers['content-type'] === 'application/x-www-form-urlencoded'
        ? [200, {}, { access_token: 't' }]
        : [405],
    )
    expect(access.tokenRequest).toBe('post-form')
  })

  test('none works', async () => {
    const { access, asked } = await accessOf(bearer, () => [403])
    expect(access).toEqual({ scheme: 'bearer', realm, service: 'registry' })
    expect(asked).toHaveLength(4)
  })

  test('silence says nothing about a way: it is asked twice', async () => {
    const { access, asked } = await accessOf(bearer, (_, count) => {
      if (count === 1) throw new TargetFailure('no answer')
      return [200, {}, { token: 't' }]
    })
    expect(access.tokenRequest).toBe('get-basic')
    expect(asked).toHaveLength(2)
    const second = await accessOf(bearer, (_, count) => {
      if (count <= 2) throw new TargetFailure('no answer')
      return [200, {}, { token: 't' }]
    })
    expect(second.access.tokenRequest).toBe('post-json')
  })

  test('a realm that no password may be sent to is left to the requirements', async () => {
    const { access, asked } = await accessOf({
      'www-authenticate': 'Bearer realm="http://auth.example/token"',
    })
    expect(access).toEqual({ scheme: 'bearer', realm: 'http://auth.example/token' })
    expect(asked).toEqual([])
  })

  test('a defect of ours is not hidden', async () => {
    const broken = accessOf(bearer, () => {
      throw new TypeError('ours')
    })
    await expect(broken).rejects.toThrow('ours')
  })

  test.each([
    ['no account', {}],
    ['a token of the user', { accounts, token: 'given' }],
  ])('%s: the token service is not asked', async (_, target) => {
    const { access, asked } = await accessOf(bearer, undefined, target)
    expect(access).toMatchObject({ scheme: 'bearer', realm, service: 'registry' })
    expect(asked).toEqual([])
  })
})
