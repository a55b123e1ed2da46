import type { ServerContext } from '../handler.ts'

/** The client left, or its connection broke, before the body was there. */
export class BodyBroken extends Error {
  readonly code = 'ERR_BODY_BROKEN'
  override readonly name = 'BodyBroken'
}

/**
 * The body as it arrives. The socket's own stream is read where there is one: it saves a copy and a queue. Leaving the
 * loop early does not end the connection, which the answer has to go through.
 */
export async function* bytesOf(request: Request, { req }: ServerContext): AsyncGenerator<Uint8Array> {
  const source: AsyncIterable<Uint8Array> | null = req
    ? req.iterator({ destroyOnReturn: false })
    : request.body
  if (!source) return
  try {
    yield* source
  } catch (cause) {
    throw new BodyBroken('the request ended before its body did', { cause })
  } finally {
    // What is left of the body is thrown away: a client may wait for it to be taken.
    req?.resume()
  }
}

/** Whether the request says that it has no body. */
export function isEmpty(request: Request, { req }: ServerContext): boolean {
  const { headers } = request
  return (
    headers.get('content-length') === '0' ||
    (req ? !headers.has('content-length') && !headers.has('transfer-encoding') : request.body === null)
  )
}

/** The whole body; undefined when it has more than `limit` bytes. The rest is left to the server to discard. */
export async function readUpTo(
  limit: number,
  request: Request,
  context: ServerContext,
): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return undefined
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytesOf(request, context)) {
    size += part.byteLength
    if (size > limit) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}
