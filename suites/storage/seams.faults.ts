import { setTimeout } from 'node:timers/promises'
import { rewriting, to, withBody, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Handler } from '../../mocks/handler.ts'
import { having } from '../oci/wire.ts'

/** Places at which the faults of the storage node and its gateway stand, so that each fault is a line or two. */

export type Seam = NonNullable<Seams['storage']>
export type Bytes = Uint8Array<ArrayBuffer>
export type Line = Readonly<Record<string, unknown>>
type Change = Parameters<typeof having>[1]
type When = (request: Request) => boolean

const command = (name: string) => new RegExp(`/api/v0/${name}$`)

/** Commands of the API. */
export const rpc = {
  add: command('add'),
  cat: command('cat'),
  id: command('id'),
  pinAdd: command('pin/add'),
  pinLs: command('pin/ls'),
  pinRm: command('pin/rm'),
  gc: command('repo/gc'),
  stat: command('repo/stat'),
  config: command('config'),
} as const

export const queryOf = (request: Request): URLSearchParams => new URL(request.url).searchParams
export const argOf = (request: Request): string => queryOf(request).get('arg') ?? ''

/** Changes the successful answers (200) to a command. */
export const changing = (where: RegExp, change: Change, when: When = () => true): Seam =>
  rewriting((request) => to('*', where)(request) && when(request), having(200, change))

/** Changes the errors that a command answers. */
export const excusing = (where: RegExp, change: Change, when: When = () => true): Seam =>
  rewriting(
    (request) => to('*', where)(request) && when(request),
    (response, request) => (response.status < 400 ? response : change(response, request)),
  )

/** Answers one status where 200 is right. */
export const restatus = (where: RegExp, status: number, when?: When): Seam =>
  changing(where, (response) => withStatus(response, status), when)

/** Changes the bytes of successful answers. */
export const altering = (where: RegExp, change: (bytes: Bytes) => Bytes | string, when?: When): Seam =>
  changing(where, (response) => withBody(response, change), when)

/** Changes each JSON object of successful answers. */
export const telling = (where: RegExp, change: (line: Line, request: Request) => unknown): Seam =>
  changing(where, (response, request) =>
    withBody(response, (bytes) =>
      Buffer.from(bytes)
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => `${JSON.stringify(change(JSON.parse(line), request))}\n`)
        .join(''),
    ),
  )

/** An error of a command, as Kubo words it. */
export const failure = (status = 500, Message = 'the node is out of order'): Response =>
  Response.json({ Message, Code: 0, Type: 'error' }, { status })

export const notFound = (cid: string): Response =>
  failure(500, `block was not found locally (offline): ipld: could not find ${cid}`)

/** What `pin/add` says when it has pinned. */
export const pinned = (request: Request): Response => Response.json({ Pins: [argOf(request)] })

/** Lets the node see another query than the client sent. */
export const misasked =
  (where: RegExp, change: (query: URLSearchParams, request: Request) => void): Seam =>
  (next) =>
  (request, context) => {
    const url = new URL(request.url)
    if (!where.test(url.pathname)) return next(request, context)
    change(url.searchParams, request)
    const { method, headers, signal } = request
    // The node reads what comes from a socket there, and what comes from the same process here.
    const body = context.req ? null : request.body
    const init = { method, headers, signal, body, duplex: 'half' }
    return next(new Request(url, init), context)
  }

/** Adds with these options, whatever the client asked for. */
export const addingWith = (options: Readonly<Record<string, string>>): Seam =>
  misasked(rpc.add, (query) => {
    for (const [name, value] of Object.entries(options)) query.set(name, value)
  })

/** Lets the node see another body than the client sent. */
export const misreading =
  (where: RegExp, change: (body: Buffer, request: Request) => Uint8Array): Seam =>
  (next) =>
  async (request, context) => {
    if (!to('POST', where)(request)) return next(request, context)
    const sent = Buffer.from(await request.arrayBuffer())
    const body = new Uint8Array(change(sent, request))
    const headers = new Headers(request.headers)
    headers.delete('transfer-encoding')
    headers.set('content-length', String(body.length))
    return next(new Request(request.url, { method: 'POST', headers, body }), {})
  }

/** Answers some uploads itself; `head` is how the form begins. */
export const intercepting =
  (when: (head: string, request: Request) => boolean, answer: () => Response): Seam =>
  (next) =>
  async (request, context) => {
    if (!to('POST', rpc.add)(request)) return next(request, context)
    const { method, headers } = request
    const body = await request.arrayBuffer()
    if (when(Buffer.from(body).toString('latin1', 0, 400), request)) return answer()
    return next(new Request(request.url, { method, headers, body }), {})
  }

/** Refuses some uploads. */
export const refusing = (when: (head: string, request: Request) => boolean, status: number): Seam =>
  intercepting(when, () => failure(status, 'the upload is refused'))

/** Where the file in a form begins and ends. */
const placeIn = (form: Buffer) => ({ start: form.indexOf('\r\n\r\n') + 4, end: form.lastIndexOf('\r\n--') })

export function fileIn(form: Buffer): Buffer {
  const { start, end } = placeIn(form)
  return form.subarray(start, Math.max(start, end))
}

/** Stores something else than the file in the form; `head` is what the part says of itself. */
export const storing = (change: (file: Buffer, head: string) => Uint8Array): Seam =>
  misreading(rpc.add, (body) => {
    const { start, end } = placeIn(body)
    if (start < 4 || end < start) return body
    const head = body.toString('latin1', 0, start)
    return Buffer.concat([
      body.subarray(0, start),
      change(body.subarray(start, end), head),
      body.subarray(end),
    ])
  })

/** Shows a fault for some requests alone. `choice` begins anew whenever the fault is switched on. */
export const sometimes =
  (choice: () => (...at: Parameters<Handler>) => boolean, fault: Seam): Seam =>
  (next) => {
    const [chosen, wrong] = [choice(), fault(next)]
    return (request, context) => (chosen(request, context) ? wrong : next)(request, context)
  }

/** Chooses requests to a place from the n-th on, counted for each `arg` or for all. */
export const fromTheNth =
  (n: number, where: RegExp, keyOf: (request: Request) => string = () => '') =>
  (): ((request: Request) => boolean) => {
    const counts = new Map<string, number>()
    return (request) => {
      if (!to('*', where)(request)) return false
      const count = (counts.get(keyOf(request)) ?? 0) + 1
      counts.set(keyOf(request), count)
      return count >= n
    }
  }

/** Milliseconds in which requests that are sent side by side have come. */
export const patience = 30

/** Answers that are ready while others are under way are those of a neighbour. */
export const mixing =
  (where: RegExp): Seam =>
  (next) => {
    let underWay = 0
    let last: Response | undefined
    return async (request, context) => {
      if (!to('*', where)(request)) return next(request, context)
      underWay += 1
      await setTimeout(patience)
      const own = await withBody(await next(request, context), (bytes) => bytes)
      const told = underWay > 1 && last ? last : own.clone()
      underWay -= 1
      last = own
      return told.clone()
    }
  }

/** The same bytes with one bit turned over. */
export function flipped(bytes: Bytes, at = bytes.length - 1): Bytes {
  const copy = bytes.slice()
  if (at >= 0 && at < copy.length) copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** The same body in pieces of a size, without Content-Length. */
export function inPieces(response: Response, size: number): Response {
  if (response.body === null) return response
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += size) controller.enqueue(chunk.subarray(at, at + size))
    },
  })
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(response.body.pipeThrough(cut), { status: response.status, headers })
}
