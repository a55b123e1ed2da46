import { Readable } from 'node:stream'
import { Agent, request as send } from 'undici'
import type { Handler } from '../handler.ts'
import { streamOf } from './stream.ts'

/**
 * A storage node behind a URL, as a handler: requests and responses are streamed. There are no time limits here; who
 * asks knows how long it is willing to wait, and says so by its request's signal.
 */
export function remoteStorage(url: string): Handler {
  const base = url.replace(/\/+$/, '')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const answer = await send(`${base}${pathname}${search}`, {
      dispatcher,
      method: request.method === 'GET' ? 'GET' : 'POST',
      headers: { ...Object.fromEntries(request.headers), 'user-agent': 'assay' },
      body: request.body && Readable.from(request.body),
      signal: request.signal,
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const one of [value ?? []].flat()) headers.append(name, one)
    }
    return new Response(streamOf(relay(answer.body)), { status: answer.statusCode, headers })
  }
}

async function* relay(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body
}
