import { type Answering, withHeaders } from '../../harness/rewrite.ts'
import { isObject, type JsonObject } from './answers.ts'

/** A request to the platform API, as a fault looks at it. */
export interface Asked {
  readonly method: string
  readonly headers: Headers
  /** The body, or what stands behind the URL of a GET. */
  readonly text: string
}

/** A service on the wire. */
export type Wire = Answering<object>

interface Parts {
  method?: string
  text?: string
  headers?: Readonly<Record<string, string>>
  search?: string
}

/** Changes requests before the service sees them. */
export const posing =
  (change: (asked: Asked) => Parts) =>
  (next: Wire): Wire =>
  async (request) => {
    const asked = await askedBy(request)
    const { method = asked.method, text = asked.text, headers = {}, search } = change(asked)
    const url = new URL(request.url)
    if (search !== undefined) url.search = search
    const sent = new Headers(asked.headers)
    sent.delete('content-length')
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    return next(
      new Request(url, {
        method,
        headers: sent,
        body: method === 'GET' || method === 'OPTIONS' ? null : text,
      }),
      {},
    )
  }

/** Changes answers, with the request that was asked at hand. */
export const replying =
  (change: (response: Response, asked: Asked) => Promise<Response> | Response) =>
  (next: Wire): Wire =>
  async (request) => {
    const asked = await askedBy(request.clone())
    return change(await next(request, {}), asked)
  }

/** Changes the JSON of answers; `undefined` leaves one as it is. */
export const rewording = (change: (body: JsonObject, asked: Asked) => unknown) =>
  replying(async (response, asked) => {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    const changed = isObject(body) ? change(body, asked) : undefined
    if (changed === undefined) return response
    if (changed instanceof Response) return changed
    return new Response(JSON.stringify(changed), withHeaders(response, { 'content-length': null }))
  })

/** Changes each error of each answer. */
export const misstating = (change: (error: JsonObject, asked: Asked) => unknown) =>
  rewording((body, asked) => {
    const { errors } = body as { readonly errors?: unknown }
    if (!Array.isArray(errors)) return undefined
    return { ...body, errors: errors.map((error: JsonObject) => change(error, asked)) }
  })

/** Changes the entries of every list of projects. */
export const relisting = (change: (entries: readonly JsonObject[], asked: Asked) => unknown) =>
  rewording((body, asked) => {
    const data = isObject(body['data']) ? body['data'] : {}
    const { projects } = data as { readonly projects?: unknown }
    const list = isObject(projects) ? projects['data'] : undefined
    if (!isObject(projects) || !Array.isArray(list)) return undefined
    return { ...body, data: { ...data, projects: { ...projects, data: change(list, asked) } } }
  })

/** A value with each `__typename` in it changed, at any depth. */
export function withTypeNames(value: unknown, change: (name: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withTypeNames(entry, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '__typename' ? change(inner) : withTypeNames(inner, change),
    ]),
  )
}

/** Whether an answer says that nobody is logged in. */
export function isTurnedAway(body: JsonObject): boolean {
  const first: unknown = Array.isArray(body['errors']) ? body['errors'][0] : undefined
  const extensions = isObject(first) ? first['extensions'] : undefined
  return isObject(extensions) && extensions['code'] === 'UNAUTHENTICATED'
}

async function askedBy(request: Request): Promise<Asked> {
  const { method, headers, url } = request
  const text = method === 'GET' ? decodeURIComponent(new URL(url).search) : await request.text()
  return { method, headers, text }
}
