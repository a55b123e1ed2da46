/** Replies as HTTP: newline-delimited JSON or a stream of bytes, and errors in whichever way is still open. */
import type { ServerContext } from '../../handler.ts'
import { streamBody } from '../body.ts'
import { isIpfsError } from '../errors.ts'
import { version } from '../version.ts'
import type { Reply } from './call.ts'

const exposed = 'X-Stream-Output, X-Chunked-Output, X-Content-Length'
const streamError = 'X-Stream-Error'

/** One line of text, for what is wrong before a command runs. */
export function plain(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = `${text}\n`
  return new Response(body, {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  })
}

/** JSON as Go's encoder writes it, with the line feed that ends each value. */
function encodeJson(value: unknown): string {
  const text = JSON.stringify(value)
  return `${text.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

/** What a client may know of a failure: our own words, never those of the machine. */
export function messageOf(error: unknown): string {
  if (isIpfsError(error)) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return `the storage node failed (${code})`
}

function commonHeaders(context: ServerContext): Record<string, string> {
  const headers: Record<string, string> = {
    'Access-Control-Allow-Headers': exposed,
    'Access-Control-Expose-Headers': exposed,
    Server: `kubo/${version}`,
  }
  // HTTP/1.0 has no chunks, and so no trailers.
  if (context.req?.httpVersion !== '1.0') headers['Trailer'] = streamError
  // An answer that comes before the end of the upload ends the connection, as the rest would be read as a request.
  if (context.req && !context.req.complete && hasBody(context)) headers['Connection'] = 'close'
  return headers
}

const hasBody = ({ req }: ServerContext) =>
  req?.headers['transfer-encoding'] !== undefined || Number(req?.headers['content-length'] ?? 0) > 0

export function failure(error: unknown, context: ServerContext): Response {
  return new Response(encodeJson({ Message: messageOf(error), Code: 0, Type: 'error' }), {
    status: 500,
    headers: { ...commonHeaders(context), 'Content-Type': 'application/json' },
  })
}

/** Turns a reply into a response. A stream of values that fails at its first is an error status. */
export async function respond(reply: Reply, context: ServerContext): Promise<Response> {
  switch (reply.kind) {
    case 'value':
      return new Response(encodeJson(reply.value), {
        headers: { ...commonHeaders(context), 'Content-Type': 'application/json' },
      })
    case 'nothing':
      return new Response('', { headers: jsonStream(context) })
    case 'values': {
      const first = await reply.values.next()
      if (first.done) return new Response('', { headers: jsonStream(context) })
      const lines = encodeLines(first.value, reply.values)
      return new Response(bodyOf(lines, context), { headers: jsonStream(context) })
    }
    case 'bytes': {
      const headers: Record<string, string> = {
        ...commonHeaders(context),
        'Content-Type': reply.contentType ?? 'text/plain',
        'X-Stream-Output': '1',
      }
      if (reply.length !== undefined) headers['X-Content-Length'] = String(reply.length)
      return new Response(bodyOf(reply.bytes, context), { headers })
    }
  }
}

const jsonStream = (context: ServerContext) => ({
  ...commonHeaders(context),
  'Content-Type': 'application/json',
  'X-Chunked-Output': '1',
})

async function* encodeLines(first: unknown, rest: AsyncIterator<unknown>): AsyncGenerator<Uint8Array> {
  try {
    yield Buffer.from(encodeJson(first))
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      yield Buffer.from(encodeJson(next.value))
    }
  } finally {
    await rest.return?.()
  }
}

/** A body whose failure is told in the trailer, as Kubo does: it ends well, and short. */
function bodyOf(chunks: AsyncIterator<Uint8Array>, context: ServerContext): ReadableStream<Uint8Array> {
  const { req, res } = context
  return streamBody(chunks, context, (error) => {
    const message = messageOf(error)
    // Trailers go out with the end of the response, which the end of the body brings about.
    if (req?.httpVersion === '1.0') res?.destroy()
    else res?.addTrailers({ [streamError]: headerSafe(message) })
    return new Error(message)
  })
}

const headerSafe = (text: string) => text.replace(/[^\x20-\x7e]/g, '?')
