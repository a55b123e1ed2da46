import { describe, expect, test } from 'vitest'
import { createAnswer } from './answer.ts'
import { fakeHttp } from './fake-http.test-support.ts'
import { askForToken, type TokenRequest, tokenOf, tokenServiceUrl } from './token-service.ts'

const realm = 'https://auth.example/token?account=x'
const credentials = { username: 'owner', password: 'p+a&s=s:ö' }
const scopes = ['repository:a/b:pull,push', 'repository:c:pull']

async function sentBy(way: TokenRequest, question = {}) {
  const { http, sent } = fakeHttp(() => [200])
  await askForToken(http, way, {
    realm,
    service: 'a.example',
    scopes,
    credentials,
    account: 'owner',
    ...question,
  })
  const [one] = sent
  if (!one) throw new Error('nothing was sent')
  const { searchParams, origin, pathname } = new URL(one.url)
  return { ...one, query: searchParams, endpoint: `${origin}${pathname}` }
}

const basicText = `Basic ${Buffer.from('owner:p+a&s=s:ö').toString('base64')}`

describe('a request for a token', () => {
  test.each([
    ['get-basic', 'GET'],
    ['post-basic', 'POST'],
  ] as const)('%s has the credentials in Authorization and the rest in the query', async (way, method) => {
    const { query, ...sent } = await sentBy(way)
    expect(sent).toMatchObject({ method, endpoint: 'https://auth.example/token', body: '' })
    expect(sent.headers['authorization']).toBe(basicText)
    expect(sent.options.credentials).toEqual({ kind: 'basic', account: 'owner' })
    expect([query.get('account'), query.get('service'), query.getAll('scope')]).toEqual([
      'x',
      'a.example',
      scopes,
    ])
  })

  test('post-json has the credentials in the body and the rest in the query', async () => {
    const { headers, body, query, method } = await sentBy('post-json')
    expect([method, headers['content-type'], headers['authorization']]).toEqual([
      'POST',
      'application/json',
      undefined,
    ])
    expect(JSON.parse(body)).toEqual(credentials)
    expect(query.getAll('scope')).toEqual(scopes)
  })

  test('post-form is an OAuth 2 password grant with one list of scopes', async () => {
    const { body, headers, url, method } = await sentBy('post-form')
    expect([method, url, headers['content-type']]).toEqual([
      'POST',
      realm,
      'application/x-www-form-urlencoded',
    ])
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'password',
      client_id: 'assay',
      ...credentials,
      service: 'a.example',
      scope: scopes.join(' '),
    })
  })

  test('has no Authorization without credentials, and no query without anything to ask', async () => {
    const { http, sent } = fakeHttp(() => [200])
    await askForToken(http, 'get-basic', { realm: 'http://a/token', scopes: [] })
    expect(sent[0]).toMatchObject({ url: 'http://a/token', headers: {}, options: { headers: {} } })
    expect(sent[0]?.options).not.toHaveProperty('credentials')
  })
})

describe('the token of an answer', () => {
  const of = (status: number, body: string) =>
    tokenOf(createAnswer('GET', realm, status, [], Buffer.from(body)))

  test.each([
    ['{"token":"a","access_token":"b"}', 'a'],
    ['{"access_token":"b"}', 'b'],
    ['{"token":"","access_token":"b"}', 'b'],
    ['{"token":null,"access_token":"b"}', 'b'],
  ])('is token, else access_token: %s', (body, token) => {
    expect(of(200, body)).toBe(token)
  })

  test.each([
    [200, '{"token":7}'],
    [200, '{}'],
    [200, 'null'],
    [200, '"a"'],
    [200, 'token'],
    [401, '{"token":"a"}'],
  ])('is none in %i %s', (status, body) => {
    expect(of(status, body)).toBeUndefined()
  })
})

describe('the URL of a token service', () => {
  test('may be relative to the registry', () => {
    expect(tokenServiceUrl('/token', 'http://r.example:5000')).toBe('http://r.example:5000/token')
  })

  test.each([
    [undefined, 'names no token service'],
    ['', 'names no token service'],
    ['http://', 'no http(s) URL'],
    ['file:///etc/passwd', 'no http(s) URL'],
    ['http://r.example/token', 'no password is sent'],
  ])('%s is refused behind https', (realm, words) => {
    expect(() => tokenServiceUrl(realm, 'https://r.example')).toThrow(words)
  })
})
