import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import type { Answer } from './answer.ts'
import { TargetFailure, WriteRefused } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { createHttpClient } from './http.ts'
import { createRedactor } from './redactor.ts'
import { createTransport } from './transport.ts'

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function listening(server: { listen: Server['listen']; address(): unknown; close(): unknown }) {
  server.listen(0, '127.0.0.1')
  await once(server as unknown as Server, 'listening')
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serve = (listener: RequestListener) => listening(createServer(listener))
const serveSocket = (listener: (socket: Socket) => void) =>
  listening(createSocketServer(listener) as unknown as Server)

function client(timeoutMs = 5000) {
  const record: Exchange[] = []
  const redactor = createRedactor()
  const transport = createTransport({ timeoutMs, connections: 2 })
  closing.push(() => transport.close())
  return { record, redactor, http: createHttpClient({ transport, redactor, record, observer: undefined }) }
}

describe('a request', () => {
  test('goes onto the wire exactly as it is written', async () => {
    const url = await serve(({ url: seen }, response) => response.end(seen))
    const { http } = client()
    const answer = await http.request('GET', `${url}/v2/a/../%2e%2e/b//c?x=[1]`)
    expect(answer.text()).toBe('/v2/a/../%2e%2e/b//c?x=[1]')
  })

  test('sends a body whole, or in pieces without a length', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify(request.headers)))
    })
    const { http } = client()
    const body = Buffer.alloc(3 * 1024 * 1024)
    const whole = (await http.request('PUT', url, { body })).json() as Record<string, string>
    const pieces = (await http.request('PUT', url, { body, chunked: true })).json() as Record<string, string>
    expect(whole['content-length']).toBe(String(body.length))
    expect(pieces).not.toHaveProperty('content-length')
    expect(pieces['transfer-encoding']).toBe('chunked')
  })

  test('keeps repeated headers of an answer apart', async () => {
    const url = await serve((_, response) =>
      response
        .writeHead(
          200,
          [
            ['X-Two', 'a'],
            ['x-two', 'b'],
          ].flat(),
        )
        .end(),
    )
    const answer = await client().http.request('GET', url)
    expect(answer.headerValues('X-TWO')).toEqual(['a', 'b'])
    expect(answer.header('x-two')).toBe('a, b')
    expect(answer.header('x-three')).toBeUndefined()
  })

  test('takes a 304 that tells the length of what it leaves out', async () => {
    const url = await serve((_, response) => response.writeHead(304, { 'content-length': '5' }).end())
    const { http } = client()
    const answers = [await http.request('GET', url), await http.request('GET', url, { fresh: true })]
    expect(answers.map(({ status, body }) => [status, body.length])).toEqual([
      [304, 0],
      [304, 0],
    ])
  })

  test.each([
    ['a number of seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 1500).toUTCString()],
  ])('waits as long as a 429 says with %s, and asks again with the same body', async (_, retryAfter) => {
    const bodies: string[] = []
    const url = await serve(async (request, response) => {
      bodies.push(await text(request))
      if (bodies.length === 1) response.writeHead(429, { 'retry-after': retryAfter() })
      response.end()
    })
    const { http, record } = client()
    const start = performance.now()
    expect((await http.request('PUT', url, { body: 'x' })).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThan(400)
    expect(bodies).toEqual(['x', 'x'])
    expect(record.map(({ response }) => response?.status)).toEqual([429, 200])
  })

  test.each([
    ['says nothing', {}],
    ['asks for too long', { 'retry-after': '3600' }],
    ['says nonsense', { 'retry-after': 'soon' }],
  ])('takes a 429 for the answer when it %s', async (_, headers) => {
    const url = await serve((_, response) => response.writeHead(429, headers).end())
    const { http, record } = client()
    expect((await http.request('GET', url)).status).toBe(429)
    expect(record).toHaveLength(1)
  })

  test('does not wait on when the run is ended', async () => {
    const url = await serve((_, response) => response.writeHead(429, { 'retry-after': '20' }).end())
    const transport = createTransport({ timeoutMs: 5000, connections: 2 })
    closing.push(() => transport.close())
    const controller = new AbortController()
    const base = { transport, redactor: createRedactor(), record: [], observer: undefined }
    const options = { ...base, signal: controller.signal }
    const asked = createHttpClient(options).request('GET', url)
    setTimeout(() => controller.abort(), 300)
    expect((await asked).status).toBe(429)
  })

  test('is shown to an observer before it goes out, which may refuse it', async () => {
    let received = 0
    const url = await serve((_, response) => {
      received += 1
      response.writeHead(201).end()
    })
    const transport = createTransport({ timeoutMs: 5000, connections: 2 })
    closing.push(() => transport.close())
    const told: (number | string)[] = []
    const observer = {
      sending({ method }: { readonly method: string }) {
        if (method === 'DELETE') throw new WriteRefused('DELETE /')
        told.push(`${method} ${received}`)
        return ({ status }: Answer) => void told.push(status)
      },
    }
    const http = createHttpClient({ transport, redactor: createRedactor(), record: [], observer })
    await http.request('PUT', url)
    await expect(http.request('DELETE', url)).rejects.toThrow(WriteRefused)
    expect(told).toEqual(['PUT 0', 201])
    expect(received).toBe(1)
  })
})

describe('what is recorded', () => {
  test('has no secret in it', async () => {
    const url = await serve((_, response) => response.end('{"password":"sesame"}'))
    const { http, redactor, record } = client()
    redactor.add('sesame', 'password of owner')
    const headers = { authorization: 'Basic b3duZXI6c2VzYW1l', 'x-note': 'sesame' }
    await http.request('POST', `${url}/?p=sesame`, { headers, body: 'p=sesame' })
    expect(JSON.stringify(record)).not.toMatch(/sesame|b3duZXI6c2VzYW1l/)
    expect(record[0]?.request.headers).toContainEqual(['authorization', 'Basic [credentials]'])
    expect(record[0]?.response?.body?.text).toBe('{"password":"[password of owner]"}')
  })

  test('tells content that is not text by size and digest', async () => {
    const url = await serve((_, response) => response.end(Buffer.from([0, 1, 2, 255])))
    const { http, record } = client()
    await http.request('GET', url)
    expect(record[0]?.response?.body).toEqual({
      size: 4,
      digest: 'sha256:3d1f57c984978ef98a18378c8166c1cb8ede02c03eeb6aee7e2f121dfeee3e56',
    })
  })

  test('keeps the beginning of long text', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(100_000)))
    const { http, record } = client()
    await http.request('GET', url)
    expect(record[0]?.response?.body).toMatchObject({
      size: 100_000,
      truncated: true,
      text: 'x'.repeat(4096),
    })
  })
})

describe('a target that does not answer', () => {
  const fails = async (url: string, failure: RegExp, timeoutMs?: number) => {
    const { http, record } = client(timeoutMs)
    const asked = http.request('GET', url)
    await expect(asked).rejects.toThrow(TargetFailure)
    await expect(asked).rejects.toThrow(failure)
    expect(record[0]?.failure).toMatch(failure)
    expect(record[0]?.response).toBeUndefined()
  }

  test('refuses', async () => {
    const url = await serve(() => {})
    await closing.pop()?.()
    await fails(url, /connection refused/)
  })

  test('keeps silent', async () => {
    const url = await serve(() => {})
    await fails(url, /no answer within 0.2 s/, 200)
  })

  test('falls silent in the middle', async () => {
    const url = await serve(
      (_, response) => void response.writeHead(200, { 'content-length': 10 }).write('half'),
    )
    await fails(url, /no answer within 0.2 s/, 200)
  })

  test('closes at once', async () => {
    await fails(await serveSocket((socket) => socket.destroy()), /connection (closed|reset)/)
  })

  test('closes in the middle', async () => {
    const url = await serveSocket((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'))
    })
    await fails(url, /connection closed/)
  })

  test('does not speak HTTP', async () => {
    const url = await serveSocket((socket) => {
      socket.once('data', () => socket.end('220 mail ready\r\n'))
    })
    await fails(url, /malformed HTTP/)
  })
})

test('a fresh request goes over a connection on which nothing was written', async () => {
  const seen = new Map<number | undefined, string[]>()
  const url = await serve(({ method = '', socket, headers: { 'x-as': as = '' } }, response) => {
    seen.set(socket.remotePort, [...(seen.get(socket.remotePort) ?? []), `${method} ${as}`])
    response.end()
  })
  const { http } = client()
  const another = { fresh: true, headers: { 'x-as': 'another' } }
  for (let round = 0; round < 20; round += 1) {
    await http.request('PUT', url)
    for (const method of ['GET', 'PUT']) await http.request(method, url, another)
  }
  const connections = [...seen.values()].map((requests) => [...new Set(requests)].join())
  const count = (kind: string) => connections.filter((each) => each === kind).length
  expect([count('PUT '), count('PUT another')]).toEqual([1, 20])
  // What reads is replaced after some requests.
  expect(count('GET another')).toBeGreaterThan(1)
  expect(count('GET another')).toBeLessThan(5)
  expect(connections).toHaveLength(21 + count('GET another'))
})
