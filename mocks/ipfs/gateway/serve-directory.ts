/** A UnixFS directory: its index.html, or a page that lists it. https://specs.ipfs.tech/http-gateways/path-gateway/#generated-html-with-directory-index */
import { formatCid } from '../dag/cid.ts'
import { findEntry, listEntries } from '../dag/directory.ts'
import { cumulativeSize } from '../dag/file.ts'
import { cidOf, isFile, type Node, readNode } from '../dag/node.ts'
import { errorResponse } from './failure.ts'
import { type ListedEntry, listing } from './listing.ts'
import type { GatewayRequest } from './request.ts'
import { serveFile } from './serve-file.ts'

/** Changes when the page does. */
const design = '1'

export const listingTag = (cid: string): string => `"DirIndex-${design}_CID-${cid}"`

export async function serveDirectory(
  asked: GatewayRequest,
  node: Node,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { repo, url, query, request } = asked
  if (!url.pathname.endsWith('/') && query.get('go-get') !== '1') {
    return new Response(null, {
      status: 301,
      headers: { ...headers, Location: `${url.pathname}/${url.search}` },
    })
  }
  const index = await findEntry(repo, node, 'index.html')
  if (index) {
    const file = await readNode(repo, cidOf(index))
    if (!isFile(file)) return errorResponse(422, 'index.html could not be read: not a file', request)
    return serveFile(asked, { node: file, tagged: node, contentType: 'text/html', headers })
  }
  return servePage(asked, node, headers)
}

async function servePage(
  asked: GatewayRequest,
  node: Node,
  common: Readonly<Record<string, string>>,
): Promise<Response> {
  const headers = {
    ...common,
    'Content-Type': 'text/html',
    Etag: listingTag(formatCid(node.cid)),
    'Cache-Control': 'public, max-age=604800, stale-while-revalidate=2678400',
  }
  if (asked.request.method === 'HEAD') return new Response(null, { headers })
  const entries: ListedEntry[] = []
  for await (const link of listEntries(asked.repo, node)) {
    entries.push({ name: link.name, cid: formatCid(cidOf(link)), size: link.size })
  }
  const page = listing({
    path: asked.text,
    base: asked.url.pathname,
    cid: formatCid(node.cid),
    size: cumulativeSize(node),
    hasParent: asked.path.segments.length > 0,
    entries,
  })
  return new Response(page, { headers: { ...headers, 'Content-Length': String(Buffer.byteLength(page)) } })
}
