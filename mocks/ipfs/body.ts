/** Response bodies that are read as they are sent. */
import type { ServerContext } from '../handler.ts'

/**
 * A body out of an iterator. When the iterator fails, `failed` says to the client in its own way that the body is
 * incomplete, and the body ends: under the server an errored stream would crash the process. Without a server, the
 * stream itself fails with what `failed` returns.
 */
export function streamBody(
  chunks: AsyncIterator<Uint8Array>,
  { res }: ServerContext,
  failed: (error: unknown) => Error,
): ReadableStream<Uint8Array> {
  const stop = () => void chunks.return?.()
  res?.once('close', stop)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          const told = failed(error)
          if (res) controller.close()
          else controller.error(told)
        }
      },
      cancel: stop,
    },
    { highWaterMark: 1 },
  )
}
