import type { Content } from '../../fixtures/content.ts'
import { headOf, readToEnd, type Wire } from './wire.ts'

/** An upload of which the first half has gone out. */
export interface SlowUpload {
  /** Sends the rest and returns the whole answer as it came. */
  finish(): Promise<string>
}

/** Starts a POST and pauses in the middle of its body. */
export async function addSlowly(
  { transport, observer }: Wire,
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Content },
): Promise<SlowUpload> {
  const { bytes } = body
  await observer?.sending({ method: 'POST', url, headers: Object.entries(headers), body: bytes })
  const socket = await transport.socket(new URL(url).origin)
  const half = Math.floor(bytes.length / 2)
  const answer = readToEnd(socket, transport.timeoutMs)
  socket.write(
    headOf('POST', url, { ...headers, 'content-length': String(bytes.length), connection: 'close' }),
  )
  await new Promise<void>((resolve) => {
    socket.write(bytes.subarray(0, half), () => resolve())
  })
  return {
    finish() {
      socket.write(bytes.subarray(half))
      return answer
    },
  }
}
