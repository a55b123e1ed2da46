/** Blocks of data codecs as documents; nothing is converted. https://specs.ipfs.tech/http-gateways/path-gateway/#dag-json-and-dag-cbor */
import { codecs } from '../dag/cid.ts'
import type { Node } from '../dag/node.ts'
import { errorResponse } from './failure.ts'
import { type Format, mediaTypes } from './format.ts'
import type { GatewayRequest } from './request.ts'
import { serveBlock } from './serve-raw.ts'

const formatOf = new Map<number, Format>([
  [codecs.json, 'json'],
  [codecs.dagJson, 'dag-json'],
  [codecs.cbor, 'cbor'],
  [codecs.dagCbor, 'dag-cbor'],
])
const namesOf = new Map([
  [codecs.raw, 'raw'],
  [codecs.dagPb, 'dag-pb'],
  ...[...formatOf].map(([code, format]): [number, string] => [code, format]),
])

/** Answers with a block of data, in its own format or as the plain document that it also is. */
export function serveData(
  asked: GatewayRequest,
  node: Node,
  wanted: Format | undefined,
  headers: Readonly<Record<string, string>>,
): Response {
  const own = formatOf.get(node.cid.code)
  const format = wanted ?? own
  if (!own || (format !== own && `dag-${format}` !== own)) {
    const codec = namesOf.get(node.cid.code) ?? `0x${node.cid.code.toString(16)}`
    const message = `format ${JSON.stringify(mediaTypes[wanted ?? 'raw'])} requested but block has codec ${JSON.stringify(codec)}: codec conversion is not supported, fetch raw block with ?format=raw and convert client-side`
    return errorResponse(406, message, asked.request)
  }
  const isJson = own.endsWith('json')
  const download = asked.query.get('download') === 'true'
  return serveBlock(asked, {
    node,
    headers,
    contentType: mediaTypes[format ?? own],
    tag: `.${format ?? own}`,
    extension: isJson ? '.json' : '.cbor',
    kind: isJson && !download ? 'inline' : 'attachment',
  })
}
