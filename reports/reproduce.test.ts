import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Exchange } from '../harness/exchange.ts'
import { reproduce } from './reproduce.ts'

const run = promisify(execFile)
const nasty = `a'b"c $(touch /tmp/never) \`id\` \\ %s !x #y & ; | * ~ é ☃`

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server that remembers what it was sent and numbers its upload sessions, so that no run sees the same URL twice. */
async function server(
  answer: (
    request: Received,
    count: number,
  ) => { status: number; headers?: Record<string, string>; body?: string },
) {
  const received: Received[] = []
  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const entry = { method, url, headers, body: Buffer.concat(chunks).toString() }
      received.push(entry)
      const { status, headers: answered, body } = answer(entry, received.length)
      response.writeHead(status, answered).end(body)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, received }
}

function exchange(
  request: Partial<Exchange['request']> & { url: string },
  response?: Partial<Exchange['response']>,
): Exchange {
  const startedAt = '2026-11-21T03:00:00.000Z'
  const sent = { method: 'GET', headers: [], ...request }
  if (!response) return { request: sent, failure: 'connection reset', durationMs: 1, startedAt }
  return { request: sent, response: { status: 200, headers: [], ...response }, durationMs: 1, startedAt }
}

async function runScript(script: string, env: Record<string, string> = {}) {
  await run('sh', ['-n', '-c', script])
  return run('sh', ['-c', script], { env: { PATH: process.env['PATH'], ...env } })
}

test('sends method, path, headers and body as they were recorded, whatever characters they hold', async () => {
  const { url, received } = await server(() => ({ status: 201, body: 'made' }))
  const text = `{"q":"${nasty}"}\n@file`
  const script = reproduce(
    [
      exchange(
        {
          method: 'PUT',
          url: `${url}/v2/../a/./b%2F[1-3]{x}?q=${encodeURIComponent(nasty)}&r='`,
          headers: [
            ['content-type', 'application/json'],
            ['x-nasty', nasty.replace(' é ☃', '')],
            ['x-empty', ''],
            ['host', new URL(url).host],
          ],
          body: { text, size: Buffer.byteLength(text) },
        },
        { status: 201 },
      ),
    ],
    {},
  )
  const { stdout } = await runScript(script)
  expect(stdout).toContain('HTTP/1.1 201 Created')
  expect(stdout).toContain('made')
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({
    method: 'PUT',
    url: `/v2/../a/./b%2F[1-3]{x}?q=${encodeURIComponent(nasty)}&r='`,
    body: text,
  })
  expect(received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-nasty': nasty.replace(' é ☃', ''),
    'x-empty': '',
  })
  expect(received[0]?.headers).not.toHaveProperty('accept')
})

test.for(['relative', 'absolute', 'with a query'])(
  'takes the URL of an upload session from the new answer: %s',
  async (form) => {
    const base = { url: '' }
    const session = (id: string) =>
      ({
        relative: `/up/${id}`,
        absolute: `${base.url}/up/${id}`,
        'with a query': `${base.url}/up/${id}?state=${id}`,
      })[form] ?? ''
    const target = await server(({ method }, count) =>
      method === 'PUT' ? { status: 201 } : { status: 202, headers: { Location: session(`new-${count}`) } },
    )
    base.url = target.url
    const resolved = (id: string) => new URL(session(id), target.url).href
    const join = form === 'with a query' ? '&' : '?'
    const recorded = [
      exchange(
        { method: 'POST', url: `${target.url}/v2/a/blobs/uploads/` },
        { status: 202, headers: [['Location', session('old-1')]] },
      ),
      exchange(
        { method: 'PATCH', url: resolved('old-1'), body: { text: 'hello', size: 5 } },
        { status: 202, headers: [['location', session('old-2')]] },
      ),
      exchange(
        { method: 'PUT', url: `${resolved('old-2')}${join}digest=sha256:${'0'.repeat(64)}` },
        { status: 400 },
      ),
    ]
    const script = reproduce(recorded, {})
    await runScript(script)
    expect(script).not.toMatch(/^ {2}'.*old-/m)
    expect(target.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v2/a/blobs/uploads/',
      `PATCH ${resolved('new-1').slice(target.url.length)}`,
      `PUT ${resolved('new-2').slice(target.url.length)}${join}digest=sha256:${'0'.repeat(64)}`,
    ])
    expect(target.received[1]?.body).toBe('hello')
    expect(target.received[2]?.headers['content-length']).toBe('0')
  },
)

test('follows the Link of a page', async () => {
  const { url, received } = await server((_, count) => ({
    status: 200,
    headers: count === 1 ? { Link: '</v2/_catalog?n=2&last=new>; rel="next"' } : {},
  }))
  const script = reproduce(
    [
      exchange(
        { url: `${url}/v2/_catalog?n=2` },
        { headers: [['Link', '</v2/_catalog?n=2&last=old>; rel="next"']] },
      ),
      exchange({ url: `${url}/v2/_catalog?n=2&last=old` }, {}),
    ],
    {},
  )
  await runScript(script)
  expect(received.map((request) => request.url)).toEqual(['/v2/_catalog?n=2', '/v2/_catalog?n=2&last=new'])
})

test('keeps a URL that the client knew by itself', () => {
  const put = exchange(
    { method: 'PUT', url: 'http://x/m/1' },
    { status: 201, headers: [['Location', '/m/1']] },
  )
  expect(reproduce([put, exchange({ url: 'http://x/m/1' }, {})], {})).not.toContain('absolute')
})

test('says where it cannot go on, when the answer names no URL any more', async () => {
  const { url } = await server(() => ({ status: 500 }))
  const script = reproduce(
    [
      exchange({ method: 'POST', url: `${url}/up/` }, { status: 202, headers: [['Location', '/up/1']] }),
      exchange({ method: 'PUT', url: `${url}/up/1?digest=x` }, { status: 201 }),
    ],
    {},
  )
  await expect(runScript(script)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no such header'),
  })
})

test.for(['get-basic', 'post-basic', 'post-form', 'post-json'] as const)(
  'asks the token service the way the target wants: %s',
  async (tokenRequest) => {
    const { url, received } = await server(({ url: path }) =>
      path.startsWith('/token')
        ? { status: 200, body: '{"expires_in": 60, "token" : "a.b-c_d"}' }
        : { status: 200 },
    )
    const credentials = {
      kind: 'token',
      account: 'owner',
      scope: 'repository:a:pull registry:catalog:*',
    } as const
    const authorization = [['authorization', 'Bearer [credentials]']] as const
    const script = reproduce(
      [
        exchange({ url: `${url}/v2/a`, headers: authorization, credentials }, {}),
        exchange({ url: `${url}/v2/b`, headers: authorization, credentials }, {}),
      ],
      { realm: `${url}/token`, service: `it's`, tokenRequest, usernames: { owner: `o'w` } },
    )
    await runScript(script, { OWNER_PASSWORD: nasty })
    expect(received).toHaveLength(3)
    const [asked, ...sent] = received
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer a.b-c_d', 'Bearer a.b-c_d'])
    expect(whatWasAsked(asked)).toEqual({
      username: `o'w`,
      password: nasty,
      service: `it's`,
      scope: 'repository:a:pull registry:catalog:*',
    })
  },
)

function whatWasAsked(request: Received | undefined) {
  if (!request) return undefined
  const { headers, url, body } = request
  const parameters = new URLSearchParams(`${url.split('?')[1] ?? ''}&${body}`)
  const inJson = headers['content-type'] === 'application/json' ? JSON.parse(body) : {}
  const basic = Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString()
  const colon = basic.indexOf(':')
  return {
    username: headers.authorization ? basic.slice(0, colon) : parameters.get('username'),
    password: headers.authorization ? basic.slice(colon + 1) : parameters.get('password'),
    service: parameters.get('service'),
    scope: parameters.getAll('scope').join(' '),
    ...inJson,
  }
}

test('names every secret that it needs before it sends anything', async () => {
  const { url, received } = await server(() => ({ status: 200 }))
  const headers = [['authorization', 'Bearer [credentials]']] as const
  const script = reproduce(
    [
      exchange({ url: `${url}/1`, headers, credentials: { kind: 'basic', account: 'owner' } }, {}),
      exchange(
        { url: `${url}/2`, headers, credentials: { kind: 'made', note: `expired "1 h" ago } $(id)` } },
        {},
      ),
      exchange({ url: `${url}/3`, headers }, {}),
      exchange({ url: `${url}/4`, headers: [['authorization', 'Bearer not-a-token']] }, {}),
      exchange({ url: `${url}/5`, headers, credentials: { kind: 'token', account: '7 up', scope: 's' } }, {}),
    ],
    {},
  )
  const secrets: Record<string, string> = {
    OWNER_PASSWORD: nasty,
    MADE_TOKEN: 'made',
    CREDENTIALS_3: 'third',
    ACCOUNT_7_UP_TOKEN: 'seven',
  }
  for (const name of Object.keys(secrets)) {
    const { [name]: _, ...others } = secrets
    await expect(runScript(script, others)).rejects.toMatchObject({
      stderr: expect.stringContaining(`${name}: must be set`),
    })
  }
  expect(received).toHaveLength(0)
  await runScript(script, secrets)
  expect(received.map((request) => request.headers.authorization)).toEqual([
    `Basic ${Buffer.from(`owner:${nasty}`).toString('base64')}`,
    'Bearer made',
    'Bearer third',
    'Bearer not-a-token',
    'Bearer seven',
  ])
})

test('puts secrets back where the recorder took them out, in the way of each format', async () => {
  const { url, received } = await server(() => ({ status: 200 }))
  const post = (type: string, text: string) =>
    exchange(
      { method: 'POST', url: `${url}/token`, headers: [['content-type', type]], body: { size: 99, text } },
      {},
    )
  const script = reproduce(
    [
      post('application/json', '{"username":"owner","password":"[password of owner]"}'),
      post(
        'application/x-www-form-urlencoded',
        'grant_type=password&username=o%26w&password=[password of owner]',
      ),
      exchange({ url: `${url}/?token=x`, headers: [['x-key', '[valid platform token]']] }, {}),
    ],
    {},
  )
  await runScript(script, { OWNER_PASSWORD: nasty, VALID_PLATFORM_TOKEN: 'key' })
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ username: 'owner', password: nasty })
  expect(Object.fromEntries(new URLSearchParams(received[1]?.body))).toEqual({
    grant_type: 'password',
    username: 'o&w',
    password: nasty,
  })
  expect(received[2]?.headers['x-key']).toBe('key')
})

test('takes an id that an answer made from the new answer, and only such an id', async () => {
  const answer = (id: string) => `{"data":{"createProject":{"name":"shop-20261121","id":"${id}"}}}`
  const { url, received } = await server((_, count) => ({ status: 200, body: answer(`new-${count}-5f0e`) }))
  const ask = (text: string, body: string) =>
    exchange(
      {
        method: 'POST',
        url: `${url}/graphql`,
        headers: [['content-type', 'application/json']],
        body: { size: text.length, text },
      },
      { body: { size: body.length, text: body } },
    )
  const script = reproduce(
    [
      ask('{"query":"mutation","variables":{"name":"shop-20261121"}}', answer('old-1-5f0e')),
      ask('{"variables":{"id":"old-1-5f0e","name":"shop-20261121"}}', answer('old-2-5f0e')),
      exchange({ url: `${url}/projects/old-2-5f0e/old-1-5f0e` }, {}),
    ],
    {},
  )
  await runScript(script)
  expect(received[1]?.body).toBe('{"variables":{"id":"new-1-5f0e","name":"shop-20261121"}}')
  expect(received[2]?.url).toBe('/projects/new-2-5f0e/new-1-5f0e')
  expect(script).not.toContain('value_1_name')
})

test('sends bodies that are not text through their pipeline, with NUL, or from a file of the user', async () => {
  const { url, received } = await server(() => ({ status: 200 }))
  const put = (
    body: Exchange['request']['body'] & object,
    headers: readonly (readonly [string, string])[] = [],
  ) => exchange({ method: 'PUT', url, headers, body }, {})
  const script = reproduce(
    [
      put({ size: 6, shell: "printf '\\001\\002' | cat; printf 'tail'" }),
      put({ size: 3, text: 'a\0b' }),
      put({ size: 5000, text: 'a', truncated: true, digest: `sha256:${'1'.repeat(64)}` }),
      put({ size: 4, shell: 'printf abcd' }, [['transfer-encoding', 'chunked']]),
    ],
    {},
  )
  await runScript(script, { BODY_3: '/dev/null' })
  expect(received.map(({ body }) => body)).toEqual(['\u0001\u0002tail', 'a\0b', '', 'abcd'])
  expect(received[3]?.headers['transfer-encoding']).toBe('chunked')
  expect(received[0]?.headers).not.toHaveProperty('content-type')
})

test('shows long and binary answers as size and digest, and a HEAD as its headers', async () => {
  const { url, received } = await server(({ method }) => ({
    status: 200,
    headers: { 'x-a': 'b' },
    body: method === 'GET' ? 'x\0y' : '',
  }))
  const { stdout } = await runScript(
    reproduce([exchange({ url }, {}), exchange({ method: 'HEAD', url }, {})], {}),
  )
  expect(stdout).toMatch(/\(3 bytes, sha256:[0-9a-f]{64}\)/)
  expect(stdout.match(/x-a: b/g)).toHaveLength(2)
  expect(received.map(({ method }) => method)).toEqual(['GET', 'HEAD'])
})

test('goes on after a request without an answer', async () => {
  const { url, received } = await server(() => ({ status: 200 }))
  const { stderr } = await runScript(
    reproduce([exchange({ url: 'http://127.0.0.1:1/' }), exchange({ url }, {})], {}),
  )
  expect(stderr).toContain('curl: (7)')
  expect(received).toHaveLength(1)
})
