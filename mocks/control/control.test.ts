import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import type { Handler } from '../handler.ts'
import { serve } from '../serve.ts'
import { createControl } from './control.ts'
import type { Fault } from './fault.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const teapot: Fault = {
  id: 'wire.teapot',
  seams: { registry: () => () => new Response(null, { status: 418 }), graphql: (next) => next },
}

async function control(
  real: Handler = () => new Response('real'),
  service: 'registry' | 'graphql' = 'registry',
) {
  const clock = createClock(() => 1000)
  const made = createControl({
    clock,
    faults: [teapot],
    token: 'let-me-in',
    targets: () => ({ registry: { url: 'here' } }),
    reset: () => made.traffic.exclusively(async () => made.journal.clear()),
  })
  const served = await serve(made.port(made.wrap(service, real)))
  closing.push(() => served.close())
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(new URL(path, served.url), { method, headers, ...init })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  return { ...made, clock, url: served.url, port: served.port, call }
}

/** Sends raw bytes, since `fetch` forbids a Host of one's own, and resolves to the answer. */
async function raw(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  await once(socket, 'close')
  return answer
}

test('the surface says what it has, where the stack is, and that it is ready', async () => {
  const { call } = await control()
  expect((await call('GET', '/_mock/')).body.endpoints).toContain('/_mock/requests')
  expect((await call('GET', '/_mock/ready')).body).toEqual({ ready: true })
  expect((await call('GET', '/_mock/targets')).body).toEqual({ registry: { url: 'here' } })
  expect((await call('GET', '/_mock/nothing')).status).toBe(404)
  expect((await call('GET', '/_mock/constructor')).status).toBe(404)
  expect((await call('POST', '/_mock/ready')).body.error.message).toBe('/_mock/ready takes GET')
})

test('a browser gets a page that loads nothing and may only talk to where it came from', async () => {
  const { url } = await control()
  const response = await fetch(`${url}/_mock/`, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; connect-src 'self'")
  expect(await response.text()).not.toMatch(/(?:src|href)=/)
})

test('the journal is read over HTTP, and does not hold the control requests', async () => {
  const { call } = await control()
  await call('GET', '/v2/')
  await call('GET', '/v2/a/tags/list')
  const { body } = await call('GET', '/_mock/requests?operation=oci.tags.*')
  expect(body).toMatchObject({
    total: 2,
    dropped: 0,
    requests: [{ repository: 'a', status: 200, outcome: 'answered' }],
  })
  expect((await call('GET', '/_mock/requests?colour=red')).body.error.code).toBe('unknown-key')
})

test('a long poll ends with the request that it waits for, and with 408 when none comes', async () => {
  const { call } = await control()
  const waiting = call('GET', '/_mock/requests?operation=oci.base.get&count=2&wait=20')
  await call('GET', '/v2/')
  await call('GET', '/v2/')
  expect((await waiting).body.requests).toHaveLength(2)
  const late = await call('GET', '/_mock/requests?status=500&count=1&wait=0.01')
  expect([late.status, late.body.nearest.operation]).toEqual([408, 'oci.base.get'])
})

test('the clock stops, moves with what falls due, and runs again', async () => {
  const { call, clock } = await control()
  let rang = 0
  clock.at(Date.UTC(2030, 0, 1, 1), async () => {
    await Promise.resolve()
    rang += 1
  })
  expect((await call('PUT', '/_mock/clock', { now: '2030-01-01T00:00:00Z' })).body.now).toBe(
    '2030-01-01T00:00:00.000Z',
  )
  expect(rang).toBe(0)
  expect((await call('PUT', '/_mock/clock', { advanceMs: 3_600_000 })).body.now).toBe(
    '2030-01-01T01:00:00.000Z',
  )
  expect(rang).toBe(1)
  expect((await call('PUT', '/_mock/clock')).body.now).toBe('1970-01-01T00:00:01.000Z')
  expect((await call('PUT', '/_mock/clock', { now: 'soon' })).status).toBe(400)
  expect((await call('PUT', '/_mock/clock', { tomorrow: true })).body.error.message).toContain('"tomorrow"')
  expect((await call('PUT', '/_mock/clock', '{')).body.error.code).toBe('bad-json')
})

test('faults are switched over HTTP', async () => {
  const { call } = await control()
  const on = await call('PUT', '/_mock/faults/wire.teapot', { match: { path: '/v2/a*' } })
  expect(on.body).toEqual({ id: 'wire.teapot', match: { path: '/v2/a*' }, hits: 0 })
  expect([(await call('GET', '/v2/abc')).status, (await call('GET', '/v2/b')).status]).toEqual([418, 200])
  expect((await call('GET', '/_mock/faults')).body).toMatchObject({
    active: [{ hits: 1 }],
    known: ['wire.teapot'],
  })
  expect((await call('DELETE', '/_mock/faults/wire.teapot')).status).toBe(204)
  expect((await call('GET', '/v2/abc')).status).toBe(200)
  const unknown = await call('PUT', '/_mock/faults/wire.teapto')
  expect([unknown.status, unknown.body.error.message]).toEqual([
    404,
    expect.stringContaining('near it: wire.teapot'),
  ])
  expect((await call('PUT', '/_mock/faults/wire.teapot', { times: 0 })).status).toBe(400)
  expect((await call('PUT', '/_mock/faults/wire.teapot', { match: { host: 'x' } })).body.error.code).toBe(
    'unknown-key',
  )
})

test.for([
  ['a page of another origin', { origin: 'https://evil.example' }, 'the Origin must'],
  ['a page of another port', { origin: 'http://127.0.0.1:1' }, 'the Origin must'],
  ['a page that has no origin', { origin: 'null' }, 'the Origin must'],
  ['a link on another site', { 'sec-fetch-site': 'cross-site' }, 'Sec-Fetch-Site must'],
] as const)('refuses %s', async ([, headers, rule]) => {
  const { call } = await control()
  const refused = await call('POST', '/_mock/reset', undefined, headers)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
  expect(refused.body.error.message).toContain(rule)
  expect(
    (await call('POST', '/_mock/reset', undefined, { ...headers, authorization: 'Bearer let-me-in' })).status,
  ).toBe(200)
  expect(
    (await call('POST', '/_mock/reset', undefined, { ...headers, authorization: 'Bearer no' })).status,
  ).toBe(403)
})

test.for([
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost.evil.example:5000', 403],
  ['LOCALHOST:1', 200],
  ['[::1]:9', 200],
] as const)('answers a Host of %s with %i', async ([host, status]) => {
  const { port } = await control()
  const answer = await raw(port, ['GET /_mock/ready HTTP/1.1', `Host: ${host}`])
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

test('takes any Host for the service itself, and never shows a stack trace', async () => {
  const throwing = await control((request) => {
    if (request.url.endsWith('/boom')) throw new Error('secret of the house')
    return new Response(new URL(request.url).host)
  })
  expect(await raw(throwing.port, ['GET /v2/ HTTP/1.1', 'Host: registry.example'])).toContain(
    'registry.example',
  )
  const boom = await throwing.call('GET', '/boom')
  expect([boom.status, boom.body]).toEqual([500, '500: internal error\n'])
  expect(await raw(throwing.port, ['GET /v2/ HTTP/1.1', 'Host: a b'])).toMatch(/^HTTP\/1\.1 400 /)
  expect(throwing.journal.list().requests.at(-1)?.outcome).toBe('cut')
})

test('a reset cuts what is under way, waits until it has stopped, and holds back what comes meanwhile', async () => {
  const order: string[] = []
  const { call, journal, traffic } = await control(async (request) => {
    await once(request.signal, 'abort')
    await call('GET', '/_mock/ready')
    order.push('stopped')
    return new Response('late')
  })
  const slow = call('GET', '/slow').then(
    () => 'answered',
    () => 'cut',
  )
  await journal.waitFor({ status: 'pending' })
  const door = traffic.door(() => {
    order.push('next')
    return new Response()
  })
  let next: Promise<Response> | Response | undefined
  const cut = await traffic.exclusively(async () => {
    next = door(new Request('http://127.0.0.1/'), {})
    order.push('reset')
  })
  expect([cut, await slow]).toEqual([1, 'cut'])
  await next
  expect(order).toEqual(['stopped', 'reset', 'next'])
})

test('GraphQL operations are named from the document, in every encoding, and reach the service whole', async () => {
  const { call, journal } = await control(async (request) => new Response(await request.text()), 'graphql')
  const query = 'query A { a: projects { data { id } } } mutation B { createProject(name: "x") { id } }'
  const json = await call(
    'POST',
    '/graphql',
    { query, operationName: 'B' },
    { 'content-type': 'application/json' },
  )
  expect(json.body).toEqual({ query, operationName: 'B' })
  const form = new FormData()
  form.set('operations', JSON.stringify({ query: '{ projects { data { id } } }' }))
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  await call('POST', '/graphql', await encoded.text(), { 'content-type': type })
  await call('GET', '/graphql?query=%7Bme%7Bid%7D%7D')
  await call('POST', '/graphql', '{"query": 7}', { 'content-type': 'application/json' })
  await call('POST', '/graphql', 'null', { 'content-type': 'application/json' })
  expect(journal.list().requests.map(({ operation }) => operation)).toEqual([
    'graphql.mutation.createProject',
    'graphql.query.projects',
    'graphql.query.me',
    null,
    null,
  ])
})
