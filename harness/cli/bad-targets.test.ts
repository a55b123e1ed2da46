import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assay, type Ended } from './command.test-support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-bad-targets-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function against(listener: RequestListener | 'closes', ...flags: readonly string[]): Promise<Ended> {
  const server =
    listener === 'closes' ? createSocketServer((socket) => socket.destroy()) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await assay(['test', '--registry', url, '--timeout', '1', ...flags], { cwd: folder })
  } finally {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  }
}

function isPolite({ stdout, stderr }: Ended): void {
  expect(stdout + stderr).not.toMatch(/\n\s+at .*\(.*:\d+:\d+\)/)
  expect(stdout).not.toMatch(/^conformant/m)
}

describe('a target that cannot be reached ends with exit 3 and says why', () => {
  test('refused', async () => {
    const ended = await assay(['test', '--registry', 'http://127.0.0.1:1'], { cwd: folder })
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('the registry cannot be reached')
    expect(ended.stderr).toContain('connection refused')
    isPolite(ended)
  })

  test('silent', async () => {
    const ended = await against(() => {})
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('no answer within 1 s')
    isPolite(ended)
  })

  test('closed at once', async () => {
    const ended = await against('closes')
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('connection')
    isPolite(ended)
  })

  test('a name that does not resolve', async () => {
    const ended = await assay(['test', '--registry', 'http://registry.invalid'], { cwd: folder })
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('does not resolve')
    isPolite(ended)
  })
})

describe('a target that gives one answer to everything is never conformant', () => {
  test.each([
    ['an empty 200', 200, '', 'with 200 and an empty body'],
    ['an empty 202', 202, '', 'with 202 and an empty body'],
    ['an empty 401', 401, '', 'with 401 and an empty body'],
    ['an empty 404', 404, '', 'with 404 and an empty body'],
    ['an empty 500', 500, '', 'with 500 and an empty body'],
    ['HTML', 200, '<!doctype html><title>Welcome</title>', 'with 200 and the same body of 37 bytes'],
  ])('%s', async (_, status, body, why) => {
    const ended = await against((request, response) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'text/html' }).end(body)
    })
    expect(ended.code).toBe(1)
    expect(ended.stdout.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`non-conformant: \\S+ answered all of \\d+ requests ${why}`),
    )
    isPolite(ended)
  })
})
