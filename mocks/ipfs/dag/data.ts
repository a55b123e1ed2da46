/** Blocks of the codecs that hold plain data: dag-cbor, cbor, dag-json, json. */
import { IpfsError } from '../errors.ts'
import { DataMap, type DataValue, decodeCbor } from './cbor.ts'
import { CID, codecs } from './cid.ts'

/** Codecs whose blocks are data, and whether links in them count. */
const dataCodecs = new Map<number, { readonly json: boolean; readonly links: boolean }>([
  [codecs.dagCbor, { json: false, links: true }],
  [codecs.cbor, { json: false, links: false }],
  [codecs.dagJson, { json: true, links: true }],
  [codecs.json, { json: true, links: false }],
])

export const isDataCodec = (codec: number): boolean => dataCodecs.has(codec)

/** Reads a block of a data codec. Throws ERR_MALFORMED_BLOCK. */
export function decodeData(codec: number, block: Uint8Array): DataValue {
  const kind = dataCodecs.get(codec)
  if (!kind) throw new IpfsError('ERR_MALFORMED_BLOCK', `no decoder registered for multicodec code ${codec}`)
  return kind.json ? fromJson(parseJson(block), kind.links) : decodeCbor(block)
}

function parseJson(block: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(block).toString())
  } catch (cause) {
    throw new IpfsError('ERR_MALFORMED_BLOCK', 'json: malformed document', { cause })
  }
}

/** `{"/": "cid"}` is a link and `{"/": {"bytes": "…"}}` are bytes. https://ipld.io/specs/codecs/dag-json/spec/ */
function fromJson(value: unknown, links: boolean): DataValue {
  if (Array.isArray(value)) return value.map((item) => fromJson(item, links))
  if (typeof value !== 'object' || value === null) return value as DataValue
  const entries = Object.entries(value)
  const [first] = entries
  if (links && entries.length === 1 && first?.[0] === '/') {
    if (typeof first[1] === 'string') return CID.parse(first[1])
    const bytes: unknown = first[1]?.bytes
    if (typeof bytes === 'string') return Buffer.from(bytes, 'base64')
  }
  return new DataMap(entries.map(([key, item]) => [key, fromJson(item, links)]))
}

/** The links in a value, in its order. */
export function linksIn(value: DataValue): CID[] {
  if (value instanceof CID) return [value]
  if (value instanceof DataMap) return [...value.values()].flatMap(linksIn)
  if (Array.isArray(value)) return value.flatMap(linksIn)
  return []
}
