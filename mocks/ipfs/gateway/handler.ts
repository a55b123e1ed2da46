/** The gateway: content over plain HTTP, to read only. https://specs.ipfs.tech/http-gateways/ */
import type { Handler, ServerContext } from '../../handler.ts'
import { formatCid } from '../dag/cid.ts'
import { isDataCodec } from '../dag/data.ts'
import { isDirectory, isFile } from '../dag/node.ts'
import { type ContentPath, parsePath, type Resolved, resolve } from '../dag/path.ts'
import { isIpfsError } from '../errors.ts'
import type { IpfsNode } from '../ipfs-node.ts'
import { messageOf, plain } from '../rpc/respond.ts'
import { agent } from '../version.ts'
import { matches } from './etag.ts'
import { errorResponse, unresolved } from './failure.ts'
import { contentLocation, mediaTypes, requestedFormat } from './format.ts'
import { crossOrigin, headerText, rootsHeader } from './headers.ts'
import type { GatewayRequest } from './request.ts'
import { serveCar } from './serve-car.ts'
import { serveData } from './serve-data.ts'
import { listingTag, serveDirectory } from './serve-directory.ts'
import { serveFile } from './serve-file.ts'
import { serveRaw } from './serve-raw.ts'
import { serveTar } from './serve-tar.ts'

const methods = 'GET, HEAD, OPTIONS'

/** Serves `/<prefix>/<cid>[/path]` and nothing else. */
export function createGateway(node: IpfsNode, prefix: string): Handler {
  return async (request, context) => {
    const url = new URL(request.url)
    if (url.pathname === '/version') return plain(200, `Commit: \nClient Version: ${agent}`)
    if (url.pathname === `/${prefix}`)
      return new Response(null, { status: 307, headers: { Location: `/${prefix}/` } })
    if (!url.pathname.startsWith(`/${prefix}/`)) return plain(404, '404 page not found')
    const response = await answer(node, prefix, request, url, context)
    for (const [name, value] of Object.entries(crossOrigin)) response.headers.set(name, value)
    return response
  }
}

async function answer(
  node: IpfsNode,
  prefix: string,
  request: Request,
  url: URL,
  context: ServerContext,
): Promise<Response> {
  if (request.method === 'OPTIONS')
    return new Response(null, { headers: { Allow: methods, 'Content-Length': '0' } })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plain(405, `Method ${request.method} not allowed: read only access`, { Allow: methods })
  }
  const text = decodePath(url.pathname, prefix)
  if (text === undefined) return errorResponse(400, 'invalid percent-encoding in the path', request)
  const elsewhere = redirection(request, url, text)
  if (elsewhere) return elsewhere
  try {
    const path = parsePath(text)
    const format = requestedFormat(request, url.searchParams)
    return await serve({
      repo: node.repo,
      request,
      context,
      url,
      query: url.searchParams,
      path,
      text,
      format,
    })
  } catch (error) {
    return errorResponse(isIpfsError(error, 'ERR_BAD_PATH') ? 400 : 500, messageOf(error), request)
  }
}

/** The content path that a URL means; undefined when it cannot be decoded. */
function decodePath(pathname: string, prefix: string): string | undefined {
  try {
    return `/ipfs/${decodeURIComponent(pathname.slice(prefix.length + 2))}`
  } catch {
    return undefined
  }
}

/** URLs that only lead to the right one, and those that a page must not use. */
function redirection(request: Request, url: URL, text: string): Response | undefined {
  const uri = url.searchParams.get('uri')
  if (uri) {
    const target = URL.canParse(uri) ? new URL(uri) : undefined
    if (!target) return errorResponse(400, 'failed to parse uri query parameter', request)
    if (target.protocol !== 'ipfs:' && target.protocol !== 'ipns:') {
      return errorResponse(400, 'uri query parameter scheme must be ipfs or ipns', request)
    }
    return redirect(`/${target.protocol.slice(0, -1)}/${target.host}${target.pathname}${target.search}`)
  }
  if (request.headers.get('service-worker') === 'script' && /^\/ipfs\/[^/]+$/.test(text)) {
    return errorResponse(400, 'navigator.serviceWorker: registration is not allowed for this scope', request)
  }
  if (text.startsWith('/ipfs/ipfs/')) return intended(request, url, text)
  return undefined
}

/** `/ipfs/ipfs/<cid>` is a slip of the pen, if what follows is a path. */
function intended(request: Request, url: URL, text: string): Response {
  try {
    parsePath(text.slice('/ipfs'.length))
    return redirect(url.pathname.slice(url.pathname.indexOf('/', 1)) + url.search)
  } catch (error) {
    return errorResponse(400, `invalid ipfs path: ${messageOf(error)}`, request)
  }
}

const redirect = (location: string) => new Response(null, { status: 301, headers: { Location: location } })

async function serve(asked: GatewayRequest): Promise<Response> {
  const { repo, request, path, text, format } = asked
  if (request.headers.get('cache-control') === 'only-if-cached') {
    const known = await isHere(asked, path)
    if (!known) return errorResponse(412, `${JSON.stringify(text)} not in local datastore`, request)
    if (request.method === 'HEAD') return new Response(null)
  }
  const location = contentLocation(asked.url, format)
  const headers: Record<string, string> = {
    'X-Ipfs-Path': headerText(text),
    ...(location === undefined ? {} : { 'Content-Location': location }),
  }
  if (format.format === 'ipns-record') {
    return errorResponse(400, 'ipns-record is a format of names, not of content', request)
  }
  if (format.format === 'car') return serveCar(asked, headers)
  let found: Resolved
  try {
    found = await resolve(repo, path)
  } catch (error) {
    return unresolved(text, error, request)
  }
  if (isUnchanged(asked, found))
    return new Response(null, { status: 304, headers: { 'X-Ipfs-Path': headerText(text) } })
  return serveFound(asked, found, { ...headers, 'X-Ipfs-Roots': rootsHeader(found.roots) })
}

async function isHere({ repo }: GatewayRequest, path: ContentPath): Promise<boolean> {
  try {
    await resolve(repo, path)
    return true
  } catch {
    return false
  }
}

/** Whether the client has it already, by its entity tag or by the time in the file. */
function isUnchanged({ request, format }: GatewayRequest, { node }: Resolved): boolean {
  const ifNoneMatch = request.headers.get('if-none-match')
  const cid = formatCid(node.cid)
  const own =
    format.format === undefined
      ? ''
      : `.${mediaTypes[format.format === 'unknown' ? 'raw' : format.format].split(/[/.]/).at(-1)}`
  if (ifNoneMatch !== null) return matches(ifNoneMatch, [`"${cid}${own}"`, listingTag(cid)])
  const since = Date.parse(request.headers.get('if-modified-since') ?? '')
  const mtime = node.entry?.mtime?.seconds
  return mtime !== undefined && mtime * 1000 <= since
}

async function serveFound(
  asked: GatewayRequest,
  { node, remainder }: Resolved,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { format } = asked.format
  if (format === 'unknown') return errorResponse(400, 'unsupported response format requested', asked.request)
  if (format === 'raw') return serveRaw(asked, node, headers)
  if (format === 'tar') return serveTar(asked, node, headers)
  if (remainder.length > 0) {
    return errorResponse(
      501,
      `${JSON.stringify(remainder.join('/'))} of ${JSON.stringify(asked.text)} could not be returned: it is no link`,
      asked.request,
    )
  }
  if (format === 'dag-json' || format === 'dag-cbor') return serveData(asked, node, format, headers)
  if (isDataCodec(node.cid.code)) return serveData(asked, node, format, headers)
  if (isDirectory(node)) return serveDirectory(asked, node, headers)
  if (isFile(node) || node.entry?.type === 'symlink') return serveFile(asked, { node, headers })
  return errorResponse(500, 'unknown node type', asked.request)
}
