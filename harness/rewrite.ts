/** Anything that answers requests: the shape in which the services are wrapped. */
export type Answering<Context> = (request: Request, context: Context) => Promise<Response> | Response

type When = (request: Request) => boolean

/** Requests with this method (`*` for any) and a path that matches. */
export const to =
  (method: string, path: RegExp): When =>
  (request) =>
    (method === '*' || request.method === method) && path.test(new URL(request.url).pathname)

/** Changes the answers to some requests; the service does its work as ever. */
export const rewriting =
  (when: When, change: (response: Response, request: Request) => Promise<Response> | Response) =>
  <Context>(next: Answering<Context>): Answering<Context> =>
  async (request, context) => {
    if (!when(request)) return next(request, context)
    // The service may read the request to its end; what `change` looks at is a copy without the body.
    const seen = new Request(request.url, { method: request.method, headers: request.headers })
    return change(await next(request, context), seen)
  }

/** Answers some requests itself; the service never sees them. */
export const answering =
  (when: When, answer: (request: Request) => Promise<Response> | Response) =>
  <Context>(next: Answering<Context>): Answering<Context> =>
  (request, context) =>
    when(request) ? answer(request) : next(request, context)

/** Changes some requests before the service sees them. */
export const asking =
  (when: When, change: (request: Request) => Promise<Request> | Request) =>
  <Context>(next: Answering<Context>): Answering<Context> =>
  async (request, context) =>
    next(when(request) ? await change(request) : request, context)

const statusesWithoutBody = new Set([101, 204, 205, 304])

/** The same answer with another status. */
export function withStatus(response: Response, status: number): Response {
  const body = statusesWithoutBody.has(status) ? null : response.body
  return new Response(body, { status, headers: response.headers })
}

/** The same answer with headers set, or taken away where the value is `null`. */
export function withHeaders(response: Response, changes: Readonly<Record<string, string | null>>): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return new Response(response.body, { status: response.status, headers })
}

/** The same answer with its body changed, and a Content-Length that fits; what has a length has no trailers. */
export async function withBody(
  response: Response,
  change: (body: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | string,
): Promise<Response> {
  const body = change(new Uint8Array(await response.arrayBuffer()))
  const headers = new Headers(response.headers)
  headers.set('content-length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length))
  headers.delete('trailer')
  return new Response(body, { status: response.status, headers })
}
