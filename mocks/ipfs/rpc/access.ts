/** Who may call the RPC: no page of another site, and no browser that does not say where it comes from. */
import type { ServerContext } from '../../handler.ts'

/** The port that the request came in on, as far as it is known. */
function portOf(request: Request, { req }: ServerContext): string {
  return String(req?.socket.localPort ?? new URL(request.url).port)
}

/** The browser extension of IPFS and its beta, which Kubo admits. */
const extensions = new Set([
  'chrome-extension://nibjojkomfdiaoajekhjakgkdhaomnch',
  'chrome-extension://hjoieblefckbooibpepigmacodalfndh',
])

const isAllowed = (origin: string, port: string): boolean =>
  extensions.has(origin) ||
  ['127.0.0.1', '[::1]', 'localhost'].some(
    (host) => origin === `http://${host}:${port}` || origin === `https://${host}:${port}`,
  )

/** The origin to name in `Access-Control-Allow-Origin`, when the request has one that is allowed. */
export function allowedOrigin(request: Request, context: ServerContext): string | undefined {
  const origin = request.headers.get('origin')
  return origin !== null && isAllowed(origin, portOf(request, context)) ? origin : undefined
}

/** Whether a request is refused with 403. */
export function isForbidden(request: Request, context: ServerContext): boolean {
  const origin = request.headers.get('origin')
  const referer = request.headers.get('referer')
  const port = portOf(request, context)
  if (origin && !isAllowed(origin, port)) return true
  if (referer) return !URL.canParse(referer) || !isAllowed(new URL(referer).origin, port)
  const agent = request.headers.get('user-agent') ?? ''
  return !origin && agent.startsWith('Mozilla') && !agent.includes('Electron')
}
