import { isIP, type Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, buildConnector, Client, type Dispatcher, EnvHttpProxyAgent } from 'undici'

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
  /** Shared by those who only read, and replaced after a few requests: connections over which nothing was written. */
  reading(origin: string): Dispatcher
  /** A connection that nothing else uses; whoever asked for it destroys it. */
  fresh(origin: string): Dispatcher
  /** A bare socket, past any proxy; whoever asked for it destroys it. */
  socket(origin: string): Promise<Socket>
  close(): Promise<void>
}

/** What was idle for longer may be closed by the other side at the moment when it is used again. Servers wait some seconds. */
const longestIdleMs = 1000
/** A connection of readers is no longer another client's when it has seen more than this. */
const readsPerConnection = 8

/** Whether a URL leads to this machine. */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Whether requests to a URL go through a proxy that the environment names. */
export function throughProxy(url: string): boolean {
  const { http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY } = process.env
  return !isLoopback(url) && Boolean(http_proxy || HTTP_PROXY || https_proxy || HTTPS_PROXY)
}

export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs, connections, ca, insecure } = options
  const connect = {
    timeout: timeoutMs,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(insecure && { rejectUnauthorized: false }),
  }
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect }
  const idle = { keepAliveTimeout: longestIdleMs, keepAliveMaxTimeout: longestIdleMs }
  const pool = { ...limits, ...idle, connections, pipelining: 1 }
  const direct = new Agent(pool)
  const proxied = new EnvHttpProxyAgent({ ...pool, requestTls: connect })
  const readers = { ...pool, maxRequestsPerClient: readsPerConnection }
  const directReaders = new Agent(readers)
  const proxiedReaders = new EnvHttpProxyAgent({ ...readers, requestTls: connect })
  return {
    timeoutMs,
    dispatcher: (origin) => (isLoopback(origin) ? direct : proxied),
    reading: (origin) => (isLoopback(origin) ? directReaders : proxiedReaders),
    fresh: (origin) =>
      isLoopback(origin)
        ? new Client(origin, limits)
        : new EnvHttpProxyAgent({ ...limits, connections: 1, requestTls: connect }),
    socket: (origin) => openSocket(buildConnector(connect), new URL(origin)),
    async close() {
      await Promise.all([direct, proxied, directReaders, proxiedReaders].map((agent) => agent.destroy()))
    },
  }
}

function openSocket(connector: buildConnector.connector, { hostname, protocol, port }: URL): Promise<Socket> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const servername = isIP(host) ? {} : { servername: host }
  return new Promise((resolve, reject) => {
    connector({ hostname: host, protocol, port, ...servername }, (error, socket) =>
      socket ? resolve(socket) : reject(error),
    )
  })
}
