import { generateKeyPairSync } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import { openPgMem } from './database.ts'
import { createRegistry } from './registry.ts'
import { accounts, basic, codeOf, type Rig, secret, sha256, startRig } from './rig.contract.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

describe('tokens', () => {
  test('who has no token is challenged for the scope that the request needs', async () => {
    const ping = await fetch(`${rig.url}/v2/`)
    expect(ping.status).toBe(401)
    expect(ping.headers.get('www-authenticate')).toBe(`Bearer realm="${rig.url}/token",service="127.0.0.1"`)
    expect(await codeOf(ping)).toBe('UNAUTHORIZED')
    const mount = await fetch(`${rig.url}/v2/a/b/blobs/uploads/?mount=${sha256('x')}&from=c`, {
      method: 'POST',
    })
    expect(mount.headers.get('www-authenticate')).toContain(
      'scope="repository:a/b:pull,push repository:c:pull"',
    )
    const bad = await fetch(`${rig.url}/v2/a/manifests/x`, {
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
      fetch(`${rig.url}/token`, { method: 'POST', body: form }),
      fetch(`${rig.url}/token`, { method: 'POST', body: oauth }),
      fetch(`${rig.url}/token`, {
        method: 'POST',
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json' },
      }),
      fetch(`${rig.url}/token?scope=repository:x:pull`, { method: 'POST', headers: { authorization } }),
      fetch(`${rig.url}/token?scope=repository:x:pull&service=127.0.0.1&account=owner`, {
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
        Buffer.from((await rig.tokenFor(username, ...scopes)).split('.')[1] ?? '', 'base64url').toString(),
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
    const answer = await fetch(`${rig.url}/token`, {
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
        await fetch(`${rig.url}/token`, { method: 'POST', body: new URLSearchParams(fields) })
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
      fetch(`${rig.url}/v2/`, { headers: { authorization: `Bearer ${token}` } })
    expect((await use(second['access_token'])).status).toBe(200)
    expect((await use(refresh)).status).toBe(401)
    expect(
      await ask({ grant_type: 'refresh_token', refresh_token: second['token'] ?? '' }),
    ).not.toHaveProperty('token')
  })

  test('a token without the right is sent for a better one, or denied where there is none to be had', async () => {
    const readOnly = await rig.tokenFor('owner', 'repository:team/x:pull')
    const better = await fetch(`${rig.url}/v2/team/x/blobs/uploads/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${readOnly}` },
    })
    expect(better.status).toBe(401)
    expect(better.headers.get('www-authenticate')).toContain(
      'scope="repository:team/x:pull,push",error="insufficient_scope"',
    )
    const reader = await rig.tokenFor('reader', 'repository:team/x:pull,push')
    const denied = await fetch(`${rig.url}/v2/team/x/blobs/uploads/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader}` },
    })
    expect(denied.status).toBe(403)
    expect(await codeOf(denied)).toBe('DENIED')
  })
})

describe('forged tokens', () => {
  const use = async (token: string, path = '/v2/') =>
    (await fetch(`${rig.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  const now = () => Math.floor(Date.now() / 1000)
  const access = [{ type: 'repository', name: 'team/x', actions: ['pull'] }]
  const good = () => ({
    sub: 'owner',
    iss: '127.0.0.1',
    aud: '127.0.0.1',
    iat: now(),
    exp: now() + 60,
    access,
  })
  const signed = async (claims: object, header: object = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...header })
      .sign(await importPKCS8(rig.registry.signingKey, 'RS256'))
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  /** Another last character for the same bytes: its low bits are not used. */
  const looseEnd = (last: string) => alphabet[alphabet.indexOf(last) ^ 1]
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test.each([
    ['expired', { exp: now() - 1 }],
    ['not valid yet', { nbf: now() + 600 }],
    ['without an end', { exp: undefined }],
    ['for another audience', { aud: 'other.example' }],
    ['of another issuer', { iss: 'other.example' }],
  ])('a token that is %s is refused', async (_, change) => {
    expect(await use(await signed(good()))).toBe(200)
    expect(await use(await signed({ ...good(), ...change }))).toBe(401)
  })

  test('a token without our signature is refused, whatever its header says', async () => {
    const token = await signed(good())
    const [header = '', payload = '', signature = ''] = token.split('.')
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = other.publicKey.export({ format: 'jwk' })
    const forged = await new SignJWT(good())
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', jwk, kid: '../../dev/null' })
      .sign(other.privateKey)
    const hs256 = await new SignJWT(good())
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(Buffer.from(rig.registry.publicKey))
    const unsigned = ['none', 'None', 'NONE', 'nOnE'].map((alg) => `${part({ alg, typ: 'JWT' })}.${payload}.`)
    const more = { ...good(), access: [{ type: 'repository', name: 'team/x', actions: ['pull', 'push'] }] }
    const middle = signature[100] === 'A' ? 'B' : 'A'
    const others = [
      `${header}.${part(more)}.${signature}`,
      `${header}.${payload}.${signature.slice(0, 100)}${middle}${signature.slice(101)}`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}`,
      `${header}.${payload}.${signature.slice(0, -1)}${looseEnd(signature.at(-1) ?? '')}`,
      `${token}=`,
      `${token} `.replace('.', '. '),
      'x.y.z',
      'x',
      '',
      `${header}.${'A'.repeat(12_000)}.${signature}`,
    ]
    for (const one of [forged, hs256, ...unsigned, ...others]) expect(await use(one)).toBe(401)
    expect(await use(token)).toBe(200)
  })

  test('access counts for its type, its repository and its actions only', async () => {
    const path = '/v2/team/x/manifests/none'
    expect(await use(await signed(good()), path)).toBe(404)
    for (const entry of [
      { type: 'registry', name: 'team/x', actions: ['pull'] },
      { type: 'repository', name: 'team', actions: ['pull'] },
      { type: 'repository', name: 'team/x/y', actions: ['pull'] },
      { type: 'repository', name: 'team/*', actions: ['pull'] },
      { type: 'repository', name: 'team/x', actions: ['push'] },
      { type: 'repository', name: 'team/x', actions: 'pull' },
      null,
    ]) {
      expect(await use(await signed({ ...good(), access: [entry] }), path)).toBe(401)
      expect(await use(await signed({ ...good(), sub: 'stranger', access: [entry] }), path)).toBe(403)
    }
  })

  test('a token counts behind the Bearer scheme and nowhere else', async () => {
    const token = await signed(good())
    const answers = await Promise.all([
      fetch(`${rig.url}/v2/?access_token=${token}&token=${token}`),
      fetch(`${rig.url}/v2/`, { headers: { authorization: token } }),
      fetch(`${rig.url}/v2/`, { headers: { authorization: basic('owner', token) } }),
      fetch(`${rig.url}/v2/`, { headers: { cookie: `token=${token}` } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    const lower = await fetch(`${rig.url}/v2/`, { headers: { authorization: `bearer ${token}` } })
    expect(lower.status).toBe(200)
  })
})

describe('logins and keys', () => {
  test('too many wrong passwords are held up, a right one never is', async () => {
    const clock = createClock(() => 0)
    const throttled = await startRig({ clock })
    const login = (password: string) =>
      fetch(`${throttled.url}/token`, { headers: { authorization: basic('reader', password) } })
    const statuses = []
    for (let attempt = 0; attempt < 61; attempt += 1) statuses.push((await login('wrong')).status)
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([401]))
    const held = await login('wrong')
    expect([held.status, held.headers.get('retry-after'), await codeOf(held)]).toEqual([
      429,
      '60',
      'TOOMANYREQUESTS',
    ])
    expect((await login('read')).status).toBe(200)
    await clock.set(60_000)
    expect((await login('wrong')).status).toBe(401)
    await throttled.close()
  })

  test('the key is one for all instances of a database, and only with the right secret', async () => {
    const database = await openPgMem()
    const options = { database, storage: rig.storage.handle, clock: createClock(), accounts }
    const one = await createRegistry({ ...options, signingSecret: secret })
    const two = await createRegistry({ ...options, signingSecret: secret })
    expect(two.publicKey).toBe(one.publicKey)
    const [stored] = await database.query<{ private_key: string }>('select private_key from signing_key')
    expect(stored?.private_key).not.toContain('PRIVATE')
    await expect(createRegistry({ ...options, signingSecret: `${secret}!` })).rejects.toMatchObject({
      code: 'ERR_SIGNING_SECRET_WRONG',
    })
    await expect(createRegistry({ ...options, signingSecret: 'x'.repeat(31) })).rejects.toMatchObject({
      code: 'ERR_SIGNING_SECRET_SHORT',
    })
  })

  test('a configured domain is issuer, audience, service and the host of an https realm', async () => {
    const named = await startRig({ domain: 'registry.example.org' })
    const challenge = (await fetch(`${named.url}/v2/`)).headers.get('www-authenticate')
    expect(challenge).toBe('Bearer realm="https://registry.example.org/token",service="registry.example.org"')
    const token = await named.tokenFor('owner')
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect([claims.iss, claims.aud]).toEqual(['registry.example.org', 'registry.example.org'])
    await named.close()
  })

  test('an open registry asks nobody', async () => {
    const open = await startRig({ open: true })
    expect(await (await fetch(`${open.url}/v2/`)).json()).toEqual({})
    expect((await fetch(`${open.url}/v2/a/blobs/uploads/`, { method: 'POST' })).status).toBe(202)
    await open.close()
  })
})
