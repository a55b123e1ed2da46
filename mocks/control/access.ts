import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { ServerContext } from '../handler.ts'

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const isLoopback = (address: string) =>
  address === '::1' || (isIP(address.replace('::ffff:', '')) === 4 && /^(::ffff:)?127\./.test(address))

/** Compares in a time that does not depend on where the first difference is. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/**
 * Why a request may not use the control surface; undefined when it may. Without the token only programs of this machine
 * may, and no web page: a page can send requests to loopback, also under a name of its own that resolves there.
 */
export function refusal(request: Request, { req }: ServerContext, token?: string): string | undefined {
  const bearer = /^bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined && token !== undefined && sameSecret(bearer, token)) return undefined
  const way =
    token === undefined ? 'start the stack with a control token to allow it' : 'send the control token'

  const peer = req?.socket.remoteAddress ?? ''
  if (!isLoopback(peer)) return `the control surface answers to loopback only, not to ${peer}; ${way}`
  const host = request.headers.get('host') ?? ''
  if (!loopbackHosts.has(host.replace(/:\d+$/, '').toLowerCase())) {
    return `the Host must be localhost, 127.0.0.1 or [::1], not "${host}"; ${way}`
  }
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== `http://${host}`) {
    return `the Origin must be that of the control surface, not "${origin}"; ${way}`
  }
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'none' && site !== 'same-origin') {
    return `Sec-Fetch-Site must be none or same-origin, not "${site}"; ${way}`
  }
  return undefined
}
