import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { Interruption } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { createHttpClient } from './http.ts'
import { createRedactor } from './redactor.ts'
import { createTransport } from './transport.ts'

/** A server that never answers and tells what of a body arrived. */
async function listening() {
  const events = new EventEmitter()
  const server = createServer((request) => {
    let bytes = 0
    request.on('data', (part: Buffer) => {
      bytes += part.length
    })
    request.on('error', () => {})
    request.on('close', () => {
      events.emit('seen', { announced: request.headers['content-length'], bytes, whole: request.complete })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, seen: once(events, 'seen') }
}

test('a request that is cut announces the whole body, sends a part of it and says that this was meant', async () => {
  const { url, seen } = await listening()
  const transport = createTransport({ timeoutMs: 5000, connections: 1 })
  onTestFinished(() => transport.close())
  const record: Exchange[] = []
  const http = createHttpClient({ transport, redactor: createRedactor(), record, observer: undefined })
  const outcome = http.request('PUT', url, { body: new Uint8Array(100_000), cutAfter: 50_000 })
  await expect(outcome).rejects.toThrow(Interruption)
  expect(await seen).toEqual([{ announced: '100000', bytes: 50_000, whole: false }])
  expect(record).toMatchObject([{ failure: expect.stringContaining('on purpose, 50000 bytes into') }])
})
