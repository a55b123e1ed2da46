import { expect, test } from 'vitest'
import { exchange, nasty, runScript, server } from './reproduce/replay.test-data.ts'
import { reproduce } from './reproduce.ts'

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

test('keeps a path with dots as it is, though an answer names what it would come to', () => {
  const base = 'http://127.0.0.1:1'
  const script = reproduce(
    [
      exchange({ url: `${base}/b/../a` }, { status: 301, headers: [['Location', '/a']] }),
      exchange({ url: `${base}/b/%2e%2e/../b/../a` }, { status: 301 }),
    ],
    {},
  )
  expect(script).toContain(`'${base}/b/%2e%2e/../b/../a'`)
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
