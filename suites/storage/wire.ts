import type { Socket } from 'node:net'
import type { Session } from '../../harness/test.ts'

/** What a bare socket needs of a session: its observer is told what goes out. */
export type Wire = Pick<Session, 'transport' | 'observer'>

/** Posts on a socket of its own, and returns all that comes, framing and trailers with it, as Latin-1. */
export async function postOnWire(
  { transport, observer }: Wire,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Promise<string> {
  await observer?.sending({ method: 'POST', url, headers: Object.entries(headers), body })
  const { origin } = new URL(url)
  const socket = await transport.socket(origin)
  const answer = readToEnd(socket, transport.timeoutMs)
  socket.write(
    headOf('POST', url, { ...headers, 'content-length': String(body.length), connection: 'close' }),
  )
  socket.write(body)
  return answer
}

/** All that comes until the connection closes, or falls silent for so long. */
export function readToEnd(socket: Socket, timeoutMs: number): Promise<string> {
  const parts: Buffer[] = []
  socket.setTimeout(timeoutMs, () => socket.destroy())
  socket.on('error', () => undefined)
  socket.on('data', (part: Buffer) => parts.push(part))
  return new Promise((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })
}

/** The request line and the header section. */
export function headOf(method: string, url: string, headers: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Whether an answer in chunks ends in a trailer X-Stream-Error, or without its last chunk. */
export function endsInError(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  const [head, body] = [answer.slice(0, end), answer.slice(end + 4)]
  if (!/^transfer-encoding:.*chunked/im.test(head)) return false
  const last = /(?:^|\r\n)0\r\n((?:.+\r\n)*)\r\n$/.exec(body)
  return last === null || /^x-stream-error:/im.test(last[1] ?? '')
}
