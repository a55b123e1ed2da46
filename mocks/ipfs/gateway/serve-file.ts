/** A UnixFS file as itself. https://specs.ipfs.tech/http-gateways/path-gateway/ */
import { posix } from 'node:path'
import { formatCid } from '../dag/cid.ts'
import { contentSize, readContent } from '../dag/file.ts'
import type { Node } from '../dag/node.ts'
import { messageOf } from '../rpc/respond.ts'
import { rangeHeader, serveContent } from './content.ts'
import { sniff, sniffLength, typeByName } from './content-type.ts'
import { errorResponse } from './failure.ts'
import { fileDisposition, immutable } from './headers.ts'
import { parseRanges } from './range.ts'
import type { GatewayRequest } from './request.ts'

export interface ServedFile {
  readonly node: Node
  /** The CID that the entity tag names: of an index.html, that of its directory. */
  readonly tagged?: Node
  readonly contentType?: string
  readonly headers: Readonly<Record<string, string>>
}

export async function serveFile(asked: GatewayRequest, file: ServedFile): Promise<Response> {
  const { repo, request } = asked
  const { node, tagged = node } = file
  const etag = `"${formatCid(tagged.cid)}"`
  const range = request.method === 'GET' ? request.headers.get('range') : null
  if (range !== null && !parseRanges(range)) {
    return errorResponse(400, 'invalid range request: invalid range', request, file.headers)
  }
  try {
    const type = file.contentType ?? (await contentType(asked, node, etag))
    const headers = {
      ...file.headers,
      'Cache-Control': immutable,
      ...fileDisposition(asked),
      ...lastModified(node),
      ...(type === undefined ? {} : { 'Content-Type': type.startsWith('text/html') ? 'text/html' : type }),
    }
    const read = (start: number, end: number) => readContent(repo, node, start, end)
    return serveContent(asked, { size: contentSize(node), etag, headers, read })
  } catch (error) {
    return errorResponse(500, `cannot detect content-type: ${messageOf(error)}`, request)
  }
}

/** Undefined for a range that leaves out the begin: what the content is, is not known then. */
async function contentType(asked: GatewayRequest, node: Node, etag: string): Promise<string | undefined> {
  if (node.entry?.type === 'symlink') return 'inode/symlink'
  const { segments } = asked.path
  const name = asked.query.get('filename') || posix.basename(segments.at(-1) ?? '')
  const named = typeByName(name)
  if (named) return named
  const header = asked.request.method === 'GET' ? rangeHeader(asked, etag) : null
  const [range] = header === null ? [] : (parseRanges(header) ?? [])
  if (range && ('suffix' in range || range.first !== 0)) return undefined
  const size = contentSize(node)
  const head: Uint8Array[] = []
  for await (const chunk of readContent(asked.repo, node, 0, Math.min(size, sniffLength))) head.push(chunk)
  return sniff(Buffer.concat(head), size)
}

function lastModified({ entry }: Node): Record<string, string> {
  return entry?.mtime ? { 'Last-Modified': new Date(entry.mtime.seconds * 1000).toUTCString() } : {}
}
