/**
 * An HTTP/1.1 client that costs next to nothing, so that what is measured is the server: one connection, one request at
 * a time, answers whose bodies nobody looks at.
 */
import { once } from 'node:events'
import { connect } from 'node:net'

export async function openConnection(url) {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  await once(socket, 'connect')
  let waiting
  let parts = []
  let buffered = 0
  let head
  let left = 0
  const finish = (error) => {
    const { resolve, reject } = waiting ?? {}
    waiting = undefined
    if (error) reject?.(error)
    else resolve?.({ status: head.status, text: head.text, location: head.location })
    head = undefined
  }
  socket.on('data', (data) => {
    let body = data
    if (!head) {
      parts.push(data)
      buffered += data.length
      const all = parts.length === 1 ? data : Buffer.concat(parts, buffered)
      const end = all.indexOf('\r\n\r\n')
      if (end < 0) return
      parts = []
      buffered = 0
      head = readHead(all.latin1Slice(0, end))
      left = waiting?.bodiless ? 0 : head.length
      body = all.subarray(end + 4)
    }
    left -= body.length
    const isLast = left === Number.POSITIVE_INFINITY && body.subarray(-lastChunk.length).equals(lastChunk)
    if (left <= 0 || isLast) finish()
  })
  socket.on('close', () => finish(new Error('the server closed the connection')))
  socket.on('error', (error) => finish(error))
  const line = (method, path, headers) => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`
  const answer = (bodiless) => new Promise((resolve, reject) => (waiting = { resolve, reject, bodiless }))
  return {
    /** Sends a request; `headers` are lines that end in CRLF. */
    send(method, path, body = Buffer.alloc(0), headers = '') {
      const answered = answer(method === 'HEAD')
      const said =
        method === 'GET' || method === 'HEAD' ? headers : `${headers}Content-Length: ${body.length}\r\n`
      socket.write(Buffer.concat([Buffer.from(line(method, path, said), 'latin1'), body]))
      return answered
    },
    /** Sends a body that does not fit into memory, `length` bytes in all. */
    async stream(method, path, length, pieces) {
      const answered = answer(false)
      socket.write(
        line(method, path, `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n`),
      )
      for (const piece of pieces) if (!socket.write(piece)) await once(socket, 'drain')
      return answered
    },
    close: () => socket.destroy(),
  }
}

const lastChunk = Buffer.from('\r\n0\r\n\r\n')

function readHead(text) {
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(text)
  return {
    status: Number(text.slice(9, 12)),
    length: isChunked ? Number.POSITIVE_INFINITY : Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0),
    location: /\r\nlocation: *([^\r]*)/i.exec(text)?.[1],
  }
}
