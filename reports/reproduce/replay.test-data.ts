import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Exchange } from '../../harness/exchange.ts'

const run = promisify(execFile)
/** Text that an unquoted shell would take to pieces. */
export const nasty = `a'b"c $(touch /tmp/never) \`id\` \\ %s !x #y & ; | * ~ é ☃`

/** A request as the server got it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server that remembers what it was sent and numbers its upload sessions, so that no run sees the same URL twice. */
export async function server(
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

/** An exchange with these parts; without an answer, the connection was reset. */
export function exchange(
  request: Partial<Exchange['request']> & { url: string },
  response?: Partial<Exchange['response']>,
): Exchange {
  const startedAt = '2026-11-21T03:00:00.000Z'
  const sent = { method: 'GET', headers: [], ...request }
  if (!response) return { request: sent, failure: 'connection reset', durationMs: 1, startedAt }
  return { request: sent, response: { status: 200, headers: [], ...response }, durationMs: 1, startedAt }
}

/** Runs a script after its syntax was checked; rejects as `execFile` does. */
export async function runScript(script: string, env: Record<string, string> = {}) {
  await run('sh', ['-n', '-c', script])
  return run('sh', ['-c', script], { env: { PATH: process.env['PATH'], ...env } })
}
