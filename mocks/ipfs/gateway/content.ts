/** Bytes of a known size as a response: ranges, conditions and HEAD are the same for files, blocks and data. */
import { streamBody } from '../body.ts'
import { messageOf } from '../rpc/respond.ts'
import { passesIfMatch } from './etag.ts'
import { errorResponse } from './failure.ts'
import { type ByteRange, isGreedy, parseRanges, placeRange } from './range.ts'
import type { GatewayRequest } from './request.ts'

export interface Content {
  readonly size: number
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  read(start: number, end: number): AsyncIterator<Uint8Array>
}

/** The range that the request asks for, if it still means this content. */
export function rangeHeader({ request }: GatewayRequest, etag: string): string | null {
  const ifRange = request.headers.get('if-range')
  return ifRange === null || ifRange === etag ? request.headers.get('range') : null
}

export function serveContent(asked: GatewayRequest, content: Content): Response {
  const { request } = asked
  const { size, etag } = content
  const ifMatch = request.headers.get('if-match')
  if (ifMatch !== null && !passesIfMatch(ifMatch, etag)) return new Response(null, { status: 412 })
  const headers = { ...content.headers, Etag: etag }
  const header = rangeHeader(asked, etag)
  if (header === null) return send(asked, content, 200, headers, { start: 0, end: size })

  const ranges = parseRanges(header)
  if (!ranges) return errorResponse(416, 'invalid range', request, headers)
  const range = placeRange(ranges, size)
  if (!range && ranges.length > 0 && size > 0) {
    const refused = { ...headers, 'Content-Range': `bytes */${size}` }
    return errorResponse(416, 'invalid range: failed to overlap', request, refused)
  }
  if (!range || isGreedy(ranges, size)) return send(asked, content, 200, headers, { start: 0, end: size })
  return send(asked, content, 206, { ...headers, 'Content-Range': describe(range, size) }, range)
}

const describe = ({ start, end }: ByteRange, size: number) => `bytes ${start}-${end - 1}/${size}`

function send(
  { request, context }: GatewayRequest,
  content: Content,
  status: number,
  headers: Readonly<Record<string, string>>,
  { start, end }: ByteRange,
): Response {
  const all = { ...headers, 'Accept-Ranges': 'bytes', 'Content-Length': String(end - start) }
  if (request.method === 'HEAD' || end === start) return new Response(null, { status, headers: all })
  const body = streamBody(content.read(start, end), context, (error) => {
    // Content-Length is out already: only a cut connection says that something is missing.
    context.res?.destroy()
    return new Error(messageOf(error))
  })
  return new Response(body, { status, headers: all })
}
