import type { Socket } from 'node:net'
import { type Answer, createAnswer, type HeaderList } from './answer.ts'

export interface RawRequest {
  readonly method: string
  /** As it goes onto the wire. */
  readonly path: string
  readonly host: string
  readonly headers: HeaderList
  /** Aborts the wait; its reason becomes the rejection. */
  readonly signal: AbortSignal
}

/** A target that ignores `Connection: close` has said all when it has been silent for this long. */
const quietMs = 1000
const headerEnd = Buffer.from('\r\n\r\n')

/**
 * Sends one request on a socket of its own, and answers with every byte that follows the header section as its body:
 * neither Content-Length nor a transfer coding is applied. What an HTTP client would hide is there to be counted.
 */
export async function sendRaw(socket: Socket, url: string, request: RawRequest): Promise<Answer> {
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    `host: ${request.host}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  try {
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    return parse(request.method, url, await readAll(socket, request.signal))
  } finally {
    socket.destroy()
  }
}

/** Everything until the peer closes, or falls silent after a whole header section. */
function readAll(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let quiet: NodeJS.Timeout | undefined
    const end = (error?: unknown) => {
      clearTimeout(quiet)
      signal.removeEventListener('abort', abort)
      const bytes = Buffer.concat(parts)
      if (error !== undefined && finalSection(bytes) === undefined) reject(error)
      else resolve(bytes)
    }
    const abort = () => end(signal.reason)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      clearTimeout(quiet)
      if (finalSection(Buffer.concat(parts)) !== undefined) quiet = setTimeout(end, quietMs)
    })
    socket.once('error', end)
    socket.once('close', () => end())
  })
}

/** Where the header section of the final answer begins and its body starts; interim answers (1xx) are passed over. */
function finalSection(bytes: Buffer): { readonly start: number; readonly bodyAt: number } | undefined {
  for (let start = 0; ; ) {
    const end = bytes.indexOf(headerEnd, start)
    if (end < 0) return undefined
    const bodyAt = end + headerEnd.length
    if (!/^HTTP\/1\.\d 1\d\d/.test(bytes.toString('latin1', start, start + 12))) return { start, bodyAt }
    start = bodyAt
  }
}

function parse(method: string, url: string, bytes: Buffer): Answer {
  const section = finalSection(bytes)
  if (!section) throw new Error('connection closed before the answer was complete')
  const [statusLine = '', ...lines] = bytes
    .toString('latin1', section.start, section.bodyAt - 4)
    .split('\r\n')
  const status = /^HTTP\/1\.\d (\d{3})(?: |$)/.exec(statusLine)?.[1]
  if (!status)
    throw new Error(`malformed HTTP (${JSON.stringify(statusLine.slice(0, 80))} is no status line)`)
  return createAnswer(method, url, Number(status), lines.map(headerOf), bytes.subarray(section.bodyAt))
}

function headerOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw new Error(`malformed HTTP (${JSON.stringify(line.slice(0, 80))} is no header field)`)
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}
