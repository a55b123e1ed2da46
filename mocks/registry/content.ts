import { randomUUID } from 'node:crypto'
import type { Handler } from '../handler.ts'
import { BodyBroken } from './body.ts'
import { createStall, type Stall } from './stall.ts'
import type { ContentStore } from './stores.ts'
import { streamOf } from './stream.ts'
import { StorageUnavailable } from './unavailable.ts'

/** How long the storage node may take for one step, not for the whole of a transfer. */
const usualPatienceMs = 30_000

/**
 * Content in the storage node, through Kubo's RPC. `offline=true`: what is ours lies on that very node, and asking
 * the network for content that it lost would only hang.
 */
export function contentStore(storage: Handler, patienceMs = usualPatienceMs): ContentStore {
  const call = createCall(storage)
  const patience = (what: string) =>
    createStall(patienceMs, () => new StorageUnavailable(`the storage node does not answer to ${what}`))

  async function command(what: string, query: string): Promise<void> {
    const stall = patience(what)
    try {
      const response = await stall.during(call(what, query, stall.signal))
      await stall.during(response.arrayBuffer())
    } finally {
      stall.end()
    }
  }

  return {
    async add(bytes) {
      const stall = patience('add')
      try {
        return await add(bytes, stall, call)
      } finally {
        stall.end()
      }
    },
    pin: (cid) => command('pin/add', `arg=${cid}&offline=true`),
    unpin: (cid) =>
      command('pin/rm', `arg=${cid}`).catch((error: unknown) => {
        if (!(error instanceof StorageUnavailable && /not pinned/.test(error.message))) throw error
      }),
    async read(cid, part) {
      const stall = patience('cat')
      const range = part ? `&offset=${part.offset}&length=${part.length}` : ''
      try {
        const response = await stall.during(call('cat', `arg=${cid}${range}&offline=true`, stall.signal))
        return relay(response, stall)
      } catch (error) {
        stall.end()
        throw error
      }
    },
  }
}

type Command = (
  what: string,
  query: string,
  signal: AbortSignal,
  body?: { type: string; bytes: AsyncGenerator<Uint8Array> },
) => Promise<Response>

/** Resolves only to a success; whatever else the storage node says is an outage. */
function createCall(storage: Handler): Command {
  return async (what, query, signal, body) => {
    const request = new Request(`http://storage/api/v0/${what}?${query}`, {
      method: 'POST',
      signal,
      ...(body && {
        body: streamOf(body.bytes),
        duplex: 'half',
        headers: { 'Content-Type': body.type },
      }),
    })
    try {
      const response = await storage(request, {})
      if (response.ok) return response
      const said = (await response.text()).slice(0, 300)
      throw new StorageUnavailable(`the storage node answered ${response.status} to ${what}: ${said}`)
    } catch (cause) {
      if (cause instanceof StorageUnavailable || cause instanceof BodyBroken) throw cause
      throw new StorageUnavailable(`the storage node cannot be reached for ${what}`, { cause })
    }
  }
}

async function add(bytes: AsyncIterable<Uint8Array>, stall: Stall, call: Command): Promise<string> {
  const boundary = `assay-${randomUUID()}`
  let broken: unknown
  async function* framed(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    )
    try {
      for await (const chunk of bytes) {
        stall.waiting()
        yield chunk
        stall.moved()
      }
    } catch (error) {
      broken = error
      throw error
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
    stall.waiting()
  }
  const frames = framed()
  try {
    const type = `multipart/form-data; boundary=${boundary}`
    const answer = call('add', 'pin=false', stall.signal, { type, bytes: frames })
    const text = await (await unlessAborted(answer, stall.signal)).text()
    return cidOf(text)
  } catch (error) {
    throw broken ?? error
  } finally {
    frames.return(undefined).catch(() => undefined)
  }
}

/** A handler in the same process may not look at its signal. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** `add` answers a line for each object that it made; the last is the file. */
function cidOf(lines: string): string {
  const last = lines.trimEnd().split('\n').at(-1) ?? ''
  try {
    const object: unknown = JSON.parse(last)
    if (typeof object === 'object' && object !== null && 'Hash' in object) {
      const { Hash: cid } = object
      if (typeof cid === 'string' && /^[A-Za-z0-9]{1,255}$/.test(cid)) return cid
    }
  } catch {}
  throw new StorageUnavailable(`the storage node answered to add: ${last.slice(0, 300)}`)
}

async function* relay(response: Response, stall: Stall): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return stall.end()
  try {
    for (;;) {
      const { done, value } = await stall.during(reader.read())
      if (done) return
      yield value
    }
  } catch (cause) {
    if (cause instanceof StorageUnavailable) throw cause
    throw new StorageUnavailable('the storage node broke off', { cause })
  } finally {
    stall.end()
    reader.cancel().catch(() => undefined)
  }
}
