import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Exchange } from '../../harness/exchange.ts'
import { reproduce } from '../reproduce.ts'
import { exchange, runScript, server } from './replay.test-data.ts'

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

test('ends a body where the run ended it, in the middle', async () => {
  const lengths: (string | undefined)[] = []
  const received: number[] = []
  const http = createServer((request) => {
    lengths.push(request.headers['content-length'])
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    request.on('error', () => received.push(size))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const body = { size: 64, shell: 'head -c 64 /dev/zero' }
  const failure = 'the connection was closed on purpose, 32 bytes into a body of 64'
  await runScript(reproduce([{ ...exchange({ method: 'PUT', url, body }), failure }], {}))
  await expect.poll(() => received).toEqual([32])
  expect(lengths).toEqual(['64'])
})
