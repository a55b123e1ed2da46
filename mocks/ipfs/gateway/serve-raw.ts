/** One block as it is. https://specs.ipfs.tech/http-gateways/trustless-gateway/ */
import { formatCid } from '../dag/cid.ts'
import type { Node } from '../dag/node.ts'
import { serveContent } from './content.ts'
import { errorResponse } from './failure.ts'
import { mediaTypes } from './format.ts'
import { contentDisposition, immutable } from './headers.ts'
import { parseRanges } from './range.ts'
import type { GatewayRequest } from './request.ts'

export interface ServedBlock {
  readonly node: Node
  readonly contentType: string
  /** What the entity tag ends in, after the CID. */
  readonly tag: string
  readonly extension: string
  readonly kind: 'inline' | 'attachment'
  readonly headers: Readonly<Record<string, string>>
}

export function serveRaw(
  asked: GatewayRequest,
  node: Node,
  headers: Readonly<Record<string, string>>,
): Response {
  return serveBlock(asked, {
    node,
    headers,
    contentType: mediaTypes.raw,
    tag: '.raw',
    extension: '.bin',
    kind: 'attachment',
  })
}

export function serveBlock(asked: GatewayRequest, served: ServedBlock): Response {
  const { request, query } = asked
  const { block, cid } = served.node
  const name = formatCid(cid)
  const range = request.headers.get('range')
  if (range !== null && !parseRanges(range)) {
    return errorResponse(400, 'invalid range request: invalid range', request, served.headers)
  }
  const headers = {
    ...served.headers,
    'Cache-Control': immutable,
    'Content-Disposition': contentDisposition(
      served.kind,
      query.get('filename') || `${name}${served.extension}`,
    ),
    'Content-Type': served.contentType,
    'X-Content-Type-Options': 'nosniff',
  }
  return serveContent(asked, {
    size: block.length,
    etag: `"${name}${served.tag}"`,
    headers,
    async *read(start, end) {
      yield block.subarray(start, end)
    },
  })
}
