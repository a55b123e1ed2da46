/** The body of a request, chunk by chunk, from the socket or from a caller in the same process. */
import type { ServerContext } from '../handler.ts'
import { IpfsError } from './errors.ts'

/** Fails with `context canceled` when the caller gives up. */
export function requestBody(request: Request, { req }: ServerContext): AsyncIterable<Uint8Array> {
  // The socket's own stream costs less than the Request's; leaving it early must not close it.
  if (req) return req.iterator({ destroyOnReturn: false })
  return request.body ? readStream(request.body, request.signal) : nothing
}

const nothing: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

async function* readStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const stop = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (signal.aborted) throw new IpfsError('ERR_INPUT', 'context canceled')
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
