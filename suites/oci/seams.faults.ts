import { rewriting, to, withHeaders, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Stores } from '../../mocks/registry/stores.ts'
import { having, type Wire } from './wire.ts'

/** Places at which the faults of pushing, listing and deleting stand, so that each fault is a line or two. */

/** Replaces some methods of one store. */
export const storing = <Name extends keyof Stores>(
  name: Name,
  change: (store: Stores[Name], all: Stores) => Partial<Stores[Name]>,
): Seams => ({
  stores: (all) => ({ ...all, [name]: { ...all[name], ...change(all[name], all) } }),
})

/** The repository that a request is about. */
const repositoryIn = ({ url }: Request) =>
  /\/v2\/(.+)\/(?:manifests|blobs|tags|referrers)\//.exec(url)?.[1] ?? ''

/** Misbehaves in a repository from the moment on at which a request there was answered in this way. */
export const after =
  (happened: (request: Request, response: Response) => boolean, broken: (next: Wire) => Wire) =>
  (next: Wire): Wire => {
    const met = new Set<string>()
    const faulty = broken(next)
    return async (request, context) => {
      const name = repositoryIn(request)
      if (met.has(name)) return faulty(request, context)
      const response = await next(request, context)
      if (happened(request, response)) met.add(name)
      return response
    }
  }

/** Answers one status where another is right. */
export const restatus = (method: string, where: RegExp, from: number, status: number): Seams => ({
  registry: rewriting(
    to(method, where),
    having(from, (response) => withStatus(response, status)),
  ),
})

/** Sets headers of answers with one status, or takes them away where the value is `null`. */
export const heading = (
  method: string,
  where: RegExp,
  status: number,
  headers: (response: Response, request: Request) => Readonly<Record<string, string | null>>,
): Seams => ({
  registry: rewriting(
    to(method, where),
    having(status, (response, request) => withHeaders(response, headers(response, request))),
  ),
})

/** A request as the registry takes it. */
export interface Reading {
  readonly url: URL
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer>
}

/** Lets the registry see another URL, other headers or another body than the client sent. */
export const misread =
  (when: (request: Request) => boolean, change: (reading: Reading) => Partial<Reading> | undefined) =>
  (next: Wire): Wire =>
  async (request, context) => {
    if (!when(request)) return next(request, context)
    const { method } = request
    const sent = { url: new URL(request.url), headers: new Headers(request.headers) }
    const reading: Reading = { ...sent, body: new Uint8Array(await request.arrayBuffer()) }
    const { url, headers, body } = { ...reading, ...change(reading) }
    const bodiless = method === 'GET' || method === 'HEAD'
    if (!bodiless && !headers.has('transfer-encoding')) headers.set('content-length', String(body.length))
    return next(new Request(url, { method, headers, body: bodiless ? null : body }), {})
  }

/** Requests to a path whose query has a parameter. */
export const withQuery =
  (method: string, where: RegExp, name: string) =>
  (request: Request): boolean =>
    to(method, where)(request) && new URL(request.url).searchParams.has(name)
