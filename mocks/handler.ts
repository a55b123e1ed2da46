import type { IncomingMessage, ServerResponse } from 'node:http'

/** What the server knows beyond the Request. Empty when a handler is called in the same process. */
export interface ServerContext {
  readonly req?: IncomingMessage
  readonly res?: ServerResponse
}

/** One service: a request in, a response out. Everything that a mock serves, and everything that wraps it, has this shape. */
export type Handler = (request: Request, context: ServerContext) => Promise<Response> | Response
