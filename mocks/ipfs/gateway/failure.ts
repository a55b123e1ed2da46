/** Answers that are no content. */
import { isIpfsError } from '../errors.ts'
import { messageOf } from '../rpc/respond.ts'
import { escapeHtml } from './html.ts'

/** An error as text, or as a page to a client that asks for HTML. */
export function errorResponse(
  status: number,
  message: string,
  request: Request,
  headers: HeadersInit = {},
): Response {
  const asPage = request.headers.get('accept')?.includes('text/html') ?? false
  const body = asPage ? page(status, message) : `${message}\n`
  const response = new Response(request.method === 'HEAD' ? null : body, { status, headers })
  response.headers.set('Content-Type', asPage ? 'text/html' : 'text/plain; charset=utf-8')
  response.headers.set('Content-Length', String(Buffer.byteLength(body)))
  response.headers.set('X-Content-Type-Options', 'nosniff')
  return response
}

const page = (status: number, message: string) =>
  `<!DOCTYPE html>\n<title>${status}</title>\n<h1>${status}</h1>\n<pre>${escapeHtml(message)}</pre>\n`

/** What a failure to find or read content is in HTTP. */
export function statusOf(error: unknown): number {
  if (isIpfsError(error, 'ERR_BAD_PATH')) return 400
  return isIpfsError(error, 'ERR_BLOCK_MISSING', 'ERR_NO_LINK', 'ERR_NOT_A_DIRECTORY') ? 404 : 500
}

/** Why a path leads nowhere. */
export function unresolved(path: string, error: unknown, request: Request): Response {
  const searched = isIpfsError(error, 'ERR_BLOCK_MISSING')
    ? ': retrieval: no providers found for the CID (phase: path resolution)'
    : ''
  const shown = path.replace(
    /[^\x20-\x7e]/gu,
    (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
  return errorResponse(statusOf(error), `failed to resolve ${shown}: ${messageOf(error)}${searched}`, request)
}
