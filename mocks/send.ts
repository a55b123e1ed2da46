import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'

/** Bytes after which others get their turn: pieces from memory to a fast client would never let go of the loop. */
const fairShare = 1024 * 1024

/**
 * Sends a response piece by piece, at the pace of the client, and resolves when it is gone or the client is. The
 * server's adapter would keep every piece of a body until the last is sent, and a body that fails would leave the
 * client hanging and the process with an uncaught exception; here it ends the connection.
 */
export async function send(response: Response, res: ServerResponse): Promise<void> {
  const reader = response.body?.getReader()
  const leave = () => void reader?.cancel().catch(() => undefined)
  if (res.destroyed) return leave()
  res.once('close', leave)
  res.statusCode = response.status
  res.setHeaders(response.headers)
  try {
    if (reader) await relay(reader, res)
    else res.end()
  } catch {
    res.destroy()
  } finally {
    res.off('close', leave)
  }
}

/** A body of one piece goes out with its length; of a body that takes its time, the headers go ahead. */
async function relay(reader: Pieces, res: ServerResponse): Promise<void> {
  const first = reader.read()
  if (!(await isReady(first))) res.flushHeaders()
  const piece = await first
  const second = piece.done ? first : reader.read()
  if ((await isReady(second)) && (await second).done) {
    res.end(piece.value)
    return
  }
  let sinceTurn = 0
  for (
    let next = piece;
    !next.done && !res.destroyed;
    next = await (next === piece ? second : reader.read())
  ) {
    if (!res.write(next.value)) await drained(res)
    sinceTurn += next.value.byteLength
    if (sinceTurn < fairShare) continue
    sinceTurn = 0
    await turn()
  }
  res.end()
}

type Pieces = ReadableStreamDefaultReader<Uint8Array>

/** Whether a read is done within this turn of the loop. */
const isReady = (read: Promise<unknown>) => Promise.race([read.then(() => true), turn(false)])

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      res.off('drain', go)
      res.off('close', go)
      resolve()
    }
    res.on('drain', go)
    res.on('close', go)
  })
}
