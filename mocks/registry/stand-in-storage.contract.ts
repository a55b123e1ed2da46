import { createHash } from 'node:crypto'
import type { Handler } from '../handler.ts'

/** What the registry asks of a storage node, in memory, and what may go wrong with one. */
export interface StandInStorage {
  readonly handle: Handler
  readonly contents: Map<string, Buffer>
  readonly pins: Set<string>
  /** Commands that came, in order: `add`, `pin/add`, `cat`, … */
  readonly commands: string[]
  /** Answers instead of a command, where it returns a response. */
  intercept: (command: string) => Promise<Response> | Response | undefined
}

export function standInStorage(): StandInStorage {
  const storage: StandInStorage = {
    contents: new Map(),
    pins: new Set(),
    commands: [],
    intercept: () => undefined,
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url)
      const command = pathname.replace('/api/v0/', '')
      storage.commands.push(command)
      const cid = searchParams.get('arg') ?? ''
      const body = command === 'add' ? await fileOf(request) : undefined
      const instead = storage.intercept(command)
      if (instead) return instead
      if (body) {
        const made = `Qm${createHash('sha256').update(body).digest('hex')}`
        storage.contents.set(made, body)
        return Response.json({ Name: made, Hash: made, Size: String(body.byteLength) })
      }
      const content = storage.contents.get(cid)
      if (!content) return Response.json({ Message: `could not find ${cid}`, Code: 0 }, { status: 500 })
      if (command === 'pin/add') storage.pins.add(cid)
      if (command === 'pin/rm') storage.pins.delete(cid)
      if (command !== 'cat') return Response.json({ Pins: [cid] })
      const offset = Number(searchParams.get('offset') ?? 0)
      const length = Number(searchParams.get('length') ?? content.byteLength)
      return new Response(pieces(content.subarray(offset, offset + length)))
    },
  }
  return storage
}

function pieces(content: Buffer): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= content.byteLength) return controller.close()
      controller.enqueue(new Uint8Array(content.subarray(at, at + 65536)))
      at += 65536
    },
  })
}

/** The content of the only part of a multipart body. */
async function fileOf(request: Request): Promise<Buffer> {
  const body = Buffer.from(await request.arrayBuffer())
  const boundary = /boundary=(.+)$/.exec(request.headers.get('content-type') ?? '')?.[1]
  return body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf(`\r\n--${boundary}--`))
}
