/** The gateway: content over plain HTTP. https://specs.ipfs.tech/http-gateways/ */
import type { Handler, ServerContext } from '../../handler.ts'
import { streamBody } from '../body.ts'
import { formatCid } from '../dag/cid.ts'
import { contentSize, readContent } from '../dag/file.ts'
import { isFile, type Node } from '../dag/node.ts'
import { parsePath, resolve } from '../dag/path.ts'
import { isIpfsError } from '../errors.ts'
import type { IpfsNode } from '../ipfs-node.ts'
import { messageOf } from '../rpc/respond.ts'

export function createGateway(node: IpfsNode, prefix: string): Handler {
  return async (request, context) => {
    const url = new URL(request.url)
    if (!url.pathname.startsWith(`/${prefix}/`)) return new Response('404 page not found\n', { status: 404 })
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response(`Method ${request.method} not allowed: read only access\n`, {
        status: 405,
        headers: { Allow: 'GET, HEAD, OPTIONS' },
      })
    }
    try {
      const path = parsePath(`/ipfs/${decodeURIComponent(url.pathname.slice(prefix.length + 2))}`)
      const found = (await resolve(node.repo, path)).node
      return isFile(found)
        ? file(node, found, request, context)
        : new Response('not a file\n', { status: 404 })
    } catch (error) {
      return new Response(`${messageOf(error)}\n`, { status: isIpfsError(error, 'ERR_BAD_PATH') ? 400 : 404 })
    }
  }
}

function file({ repo }: IpfsNode, found: Node, request: Request, context: ServerContext): Response {
  const size = contentSize(found)
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '')
  const start = Number(range?.[1] ?? 0)
  const end = range?.[2] ? Math.min(size, Number(range[2]) + 1) : size
  const headers = {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=29030400, immutable',
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(end - start),
    Etag: `"${formatCid(found.cid)}"`,
    ...(range ? { 'Content-Range': `bytes ${start}-${end - 1}/${size}` } : {}),
  }
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = streamBody(readContent(repo, found, start, end), context, (error) => {
    context.res?.destroy()
    return new Error(messageOf(error))
  })
  return new Response(body, { status, headers })
}
