import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, Client, type Dispatcher, EnvHttpProxyAgent } from 'undici'

export interface TransportOptions {
  /** How long a request may be silent, in milliseconds. */
  readonly timeoutMs: number
  /** Connections to one origin that are kept and shared. */
  readonly connections: number
  /** PEM of authorities to trust beside those of the platform. */
  readonly ca?: string
  /** Do not check certificates. */
  readonly insecure?: boolean
}

/** The connections of a run. A proxy that the environment names is used, except to this machine. */
export interface Transport {
  readonly timeoutMs: number
  dispatcher(origin: string): Dispatcher
  /** A connection that nothing else uses; whoever asked for it destroys it. */
  fresh(origin: string): Dispatcher
  close(): Promise<void>
}

/** Whether a URL leads to this machine. */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs, connections, ca, insecure } = options
  const connect = {
    timeout: timeoutMs,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(insecure && { rejectUnauthorized: false }),
  }
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect }
  const direct = new Agent({ ...limits, connections, pipelining: 1 })
  const proxied = new EnvHttpProxyAgent({ ...limits, connections, pipelining: 1, requestTls: connect })
  return {
    timeoutMs,
    dispatcher: (origin) => (isLoopback(origin) ? direct : proxied),
    fresh: (origin) =>
      isLoopback(origin)
        ? new Client(origin, limits)
        : new EnvHttpProxyAgent({ ...limits, connections: 1, requestTls: connect }),
    async close() {
      await Promise.all([direct.destroy(), proxied.destroy()])
    },
  }
}
