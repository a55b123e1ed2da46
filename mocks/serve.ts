import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServerAdapter } from '@whatwg-node/server'
import type { Handler, ServerContext } from './handler.ts'

export interface Served {
  /** `http://HOST:PORT`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Cuts the requests that are under way; the port stays open. */
  cut(): void
  close(): Promise<void>
}

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port?: number
  readonly host?: string
}

/** Serves a handler over HTTP/1.1. Rejects with the error of `listen` (`EADDRINUSE`, `EACCES`) when the port is not to be had. */
export async function serve(
  handler: Handler,
  { port = 0, host = '127.0.0.1' }: ServeOptions = {},
): Promise<Served> {
  const server = createServer(
    createServerAdapter<ServerContext>((request, context) => handler(request, context)),
  )
  // A push of gigabytes may take as long as it takes.
  server.requestTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name}:${bound}`,
    port: bound,
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
