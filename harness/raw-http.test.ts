import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createHttpClient } from './http.ts'
import { createRedactor } from './redactor.ts'
import { createTransport } from './transport.ts'

/** A server that writes `answer` to whoever asks, and then does what `after` says. */
async function serving(answer: string, after: (socket: Socket) => void = (socket) => socket.end()) {
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (request) => {
      asked.push(request.toString('latin1'))
      if (answer) socket.write(answer, 'latin1')
      after(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = createTransport({ timeoutMs: 2000, connections: 1 })
  onTestFinished(async () => {
    server.close()
    await transport.close()
  })
  const record: Exchange[] = []
  const http = createHttpClient({ transport, redactor: createRedactor(), record, observer: undefined })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening')
  const url = `http://127.0.0.1:${address.port}/v2/`
  return { record, asked, send: (method: string) => http.request(method, url, { raw: true }) }
}

test('the body of an answer to HEAD is seen', async () => {
  const { send, asked } = await serving('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello')
  const answer = await send('HEAD')
  expect(answer.text()).toBe('hello')
  expect(answer.header('Content-Length')).toBe('5')
  expect(asked[0]).toMatch(
    /^HEAD \/v2\/ HTTP\/1.1\r\nhost: 127\.0\.0\.1:\d+\r\nuser-agent: assay\r\nconnection: close\r\n\r\n$/,
  )
})

test('bytes past the Content-Length are kept, and so are too few', async () => {
  const more = await serving('HTTP/1.1 404 Not Found\r\ncontent-length: 1\r\n\r\nhello')
  const fewer = await serving('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello')
  await expect(more.send('GET')).resolves.toMatchObject({ status: 404, body: Buffer.from('hello') })
  await expect(fewer.send('GET')).resolves.toMatchObject({ status: 200, body: Buffer.from('hello') })
})

test('an interim answer is passed over', async () => {
  const { send } = await serving(
    'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  )
  await expect(send('GET')).resolves.toMatchObject({ status: 204, headers: [] })
})

test('a target that never closes has answered once it is silent', async () => {
  const { send } = await serving('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}', () => {})
  await expect(send('GET')).resolves.toMatchObject({ body: Buffer.from('{}') })
})

test('silence, a closed connection and malformed HTTP are failures of the target, and recorded', async () => {
  const silent = await serving('', () => {})
  const closing = await serving('HTTP/1.1 200 OK\r\n')
  const babbling = await serving('hello there\r\n\r\n')
  await Promise.all([
    expect(silent.send('GET')).rejects.toThrow('no answer within 2 s'),
    expect(closing.send('GET')).rejects.toThrow('connection closed before the answer was complete'),
    expect(babbling.send('GET')).rejects.toThrow('"hello there" is no status line'),
  ])
  expect(silent.record[0]?.failure).toBe('no answer within 2 s')
})
