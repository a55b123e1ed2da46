import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { hasPostgres, isPublic } from './public-address.ts'

test.for([
  ['localhost', false],
  ['10.1.2.3', false],
  ['172.20.0.1', false],
  ['[::1]', false],
  ['[fd00::1]', false],
  ['no-such-host.invalid', false],
  ['172.32.0.1', true],
  ['[2606:4700::1111]', true],
] as const)('%s is public: %s', async ([host, expected]) => {
  expect(await isPublic(host)).toBe(expected)
})

async function answering(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    answer(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

test.for([
  ['a database without TLS', (socket: Socket) => socket.once('data', () => socket.write('N')), true],
  ['a web server', (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 400')), false],
  ['what takes connections and says nothing', () => undefined, false],
] as const)('%s is seen as PostgreSQL: %s', async ([, answer, expected]) => {
  const { server, port } = await answering(answer)
  expect(await hasPostgres('127.0.0.1', port, 300)).toBe(expected)
  server.close()
  expect(await hasPostgres('127.0.0.1', 1, 300)).toBe(false)
})
