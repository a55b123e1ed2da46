import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServerAdapter } from '@whatwg-node/server'
import type { Handler, ServerContext } from './handler.ts'
import { send } from './send.ts'

export interface Served {
  /** `http://HOST:PORT`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Cuts the requests that are under way; the port stays open. */
  cut(): void
  /** Takes no new connections, and cuts those that still have a request under way after `graceMs` (0 unless told). */
  close(graceMs?: number): Promise<void>
}

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port?: number
  readonly host?: string
}

/** The address at which programs of this machine reach a port; the wildcard addresses are reached through loopback. */
function originOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Serves a handler over HTTP/1.1. Rejects with the error of `listen` (`EADDRINUSE`, `EACCES`) when the port is not to be had. */
export async function serve(
  handler: Handler,
  { port = 0, host = '127.0.0.1' }: ServeOptions = {},
): Promise<Served> {
  // A client whose machine is gone says nothing; asking shows it.
  const aliveness = { keepAlive: true, keepAliveInitialDelay: 60_000 }
  const server = createServer(
    aliveness,
    createServerAdapter<ServerContext>(async (request, context) => {
      const response = await handler(request, context)
      if (context.res) await send(response, context.res)
      return response
    }),
  )
  // A push of gigabytes may take as long as it takes.
  server.requestTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: originOf(host, bound),
    port: bound,
    cut: () => server.closeAllConnections(),
    close: (graceMs = 0) =>
      new Promise((resolve) => {
        const sweep = setInterval(() => server.closeIdleConnections(), 50)
        const end = setTimeout(() => server.closeAllConnections(), graceMs)
        server.close(() => {
          clearInterval(sweep)
          clearTimeout(end)
          resolve()
        })
        if (graceMs === 0) server.closeAllConnections()
      }),
  }
}
