import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answering, rewriting, to, withBody, withHeaders, withStatus } from '../../harness/rewrite.ts'

/** Paths of the registry's API, for faults that stand in front of it. */
export const path = {
  root: /\/v2\/$/,
  manifest: /\/manifests\/[^/]+$/,
  tag: /\/manifests\/[^/:]+$/,
  manifestDigest: /\/manifests\/[^/]+:[^/]+$/,
  blob: /\/blobs\/[^/]+:[^/]+$/,
} as const

type Change = (response: Response, request: Request) => Promise<Response> | Response

/** Changes only answers of one status. */
export const having =
  (status: number, change: Change): Change =>
  (response, request) =>
    response.status === status ? change(response, request) : response

/** Changes the successful answers (200) to some requests. */
export const changing = (method: string, where: RegExp, change: Change) =>
  rewriting(to(method, where), having(200, change))

/** Sets headers of the successful answers to some requests; `null` takes one away. */
export const setting = (method: string, where: RegExp, headers: Readonly<Record<string, string | null>>) =>
  changing(method, where, (response) => withHeaders(response, headers))

/** Answers what is not there (404) with another status. */
export const unknownIs = (method: string, where: RegExp, status: number) =>
  rewriting(
    to(method, where),
    having(404, (response) => withStatus(response, status)),
  )

/** Changes the text of the successful answers to GET. */
export const rewording = (where: RegExp, change: (text: string) => string) =>
  changing('GET', where, (response) => withBody(response, (body) => change(Buffer.from(body).toString())))

/** An error of the specification's format. */
export const errorAnswer = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json({ errors: [{ code, message: code.toLowerCase() }] }, { status, headers })

/** A service on the wire. It reads the address from `req` where that is there, so that a changed request goes without. */
export type Wire = Answering<{ readonly req?: IncomingMessage; readonly res?: ServerResponse }>

/** Bytes go onto the wire after the header section of answers that have none. */
export const talkative =
  (method: string, status: number) =>
  (next: Wire): Wire =>
  async (request, context) => {
    const response = await next(request, context)
    const { res } = context
    if (request.method === method && response.status === status) {
      res?.prependListener('finish', () => res.socket?.write('a body\n'))
    }
    return response
  }

/** The same request to another place of the same registry. */
export async function elsewhere(request: Request, change: (path: string) => string): Promise<Request> {
  const { method, headers } = request
  const { origin, pathname, search } = new URL(request.url)
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  return new Request(`${origin}${change(pathname)}${search}`, { method, headers, body })
}

/** Takes some requests to another place. */
export const moving =
  (method: string, where: RegExp, change: (path: string) => string) =>
  (next: Wire): Wire =>
  async (request, context) =>
    to(method, where)(request) ? next(await elsewhere(request, change), {}) : next(request, context)

/** Asks again at another place when the answer is 404, and gives that answer if it is a 200. */
export const falling =
  (method: string, where: RegExp, change: (path: string) => string) =>
  (next: Wire): Wire =>
  async (request, context) => {
    const again = to(method, where)(request) ? await elsewhere(request, change) : undefined
    const answer = await next(request, context)
    if (!again || answer.status !== 404) return answer
    const other = await next(again, {})
    return other.status === 200 ? other : answer
  }

/** `sha256:` of some bytes. */
export const sha256 = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
