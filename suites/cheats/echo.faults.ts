import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answering } from '../../harness/rewrite.ts'

/** What a server tells of the connection of a request. */
export interface Connection {
  readonly req?: IncomingMessage
  readonly res?: ServerResponse
}

type Wire = Answering<Connection>

/** A registry that stores nothing: each connection has what was put on it, by the last part of the path. */
export function echo(): Wire {
  const held = new WeakMap<object, Map<string, Buffer>>()
  const nobody = {}
  return async (request, { req }) => {
    const connection = req?.socket ?? nobody
    const known = held.get(connection) ?? new Map<string, Buffer>()
    held.set(connection, known)
    const { method } = request
    const { pathname, searchParams } = new URL(request.url)
    const name = searchParams.get('digest') ?? pathname.split('/').at(-1) ?? ''
    if (method === 'GET' || method === 'HEAD') return read(known, method, name, pathname)
    if (method === 'PUT') return put(known, name, pathname, Buffer.from(await request.arrayBuffer()))
    return acknowledged(method, pathname)
  }
}

function read(known: ReadonlyMap<string, Buffer>, method: string, name: string, path: string): Response {
  if (name === '') return Response.json({})
  if (path.endsWith('/tags/list')) return Response.json({ name: nameOf(path), tags: tagsOf(known) })
  const content = known.get(name)
  if (!content) return notFound()
  const headers = { 'content-length': String(content.length), 'docker-content-digest': sha256(content) }
  return new Response(method === 'HEAD' ? null : new Uint8Array(content), {
    status: 200,
    headers: { ...headers, 'content-type': mediaTypeOf(content) },
  })
}

function put(known: Map<string, Buffer>, name: string, path: string, content: Buffer): Response {
  known.set(name, content)
  known.set(sha256(content), content)
  return new Response(null, {
    status: 201,
    headers: { location: path, 'docker-content-digest': name.includes(':') ? name : sha256(content) },
  })
}

/** A registry that stores nothing, and takes what a header has to say from the request. */
export const echoOfHeaders = (): Wire => async (request) => {
  const { method } = request
  const { pathname, searchParams } = new URL(request.url)
  if (method !== 'GET' && method !== 'HEAD') await request.arrayBuffer()
  const name = searchParams.get('digest') ?? pathname.split('/').at(-1) ?? ''
  const digest = { 'docker-content-digest': name.includes(':') ? name : sha256(Buffer.from(name)) }
  if (method === 'PUT') return new Response(null, { status: 201, headers: { location: pathname, ...digest } })
  if (method !== 'GET' && method !== 'HEAD') return acknowledged(method, pathname)
  if (name === '') return Response.json({})
  return new Response(method === 'HEAD' ? null : '{}', { status: 200, headers: digest })
}

function acknowledged(method: string, path: string): Response {
  if (method === 'DELETE') return new Response(null, { status: 202 })
  const location = method === 'POST' ? `${path.replace(/\/$/, '')}/${randomUUID()}` : path
  return new Response(null, { status: 202, headers: { location, range: '0-0' } })
}

const notFound = () =>
  Response.json({ errors: [{ code: 'BLOB_UNKNOWN', message: 'unknown' }] }, { status: 404 })
const nameOf = (path: string) => path.replace(/^\/v2\/|\/tags\/list$/g, '')
const tagsOf = (known: ReadonlyMap<string, Buffer>) => [...known.keys()].filter((name) => !name.includes(':'))
const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

function mediaTypeOf(content: Buffer): string {
  try {
    return JSON.parse(content.toString()).mediaType ?? 'application/octet-stream'
  } catch {
    return 'application/octet-stream'
  }
}
