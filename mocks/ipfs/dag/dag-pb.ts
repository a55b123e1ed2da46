/** dag-pb, the nodes of UnixFS: links first, then data. https://ipld.io/specs/codecs/dag-pb/spec/ */
import { IpfsError } from '../errors.ts'
import { readVarint } from '../varint.ts'
import { MessageWriter, readFields } from './protobuf.ts'

export interface PbLink {
  /** The CID as bytes. */
  readonly cid: Uint8Array
  readonly name: string
  /** Size of the whole DAG below this link, in bytes of blocks. */
  readonly size: number
}

export interface PbNode {
  readonly links: readonly PbLink[]
  readonly data: Uint8Array
}

export function encodeNode({ links, data }: PbNode): Uint8Array {
  const node = new MessageWriter()
  for (const { cid, name, size } of links) {
    node.bytes(2, new MessageWriter().bytes(1, cid).bytes(2, Buffer.from(name)).number(3, size).finish())
  }
  return node.bytes(1, data).finish()
}

export function decodeNode(block: Uint8Array): PbNode {
  const links: PbLink[] = []
  let data: Uint8Array = new Uint8Array(0)
  for (const field of readFields(block)) {
    if (field.number === 1) data = field.bytes
    else if (field.number === 2) links.push(decodeLink(field.bytes))
    else throw new IpfsError('ERR_MALFORMED_BLOCK', 'protobuf: (PBNode) invalid fieldNumber')
  }
  return { links, data }
}

function decodeLink(message: Uint8Array): PbLink {
  let cid: Uint8Array | undefined
  let name = ''
  let size = 0
  for (const field of readFields(message)) {
    if (field.number === 1) cid = field.bytes
    else if (field.number === 2) name = Buffer.from(field.bytes).toString()
    else if (field.number === 3) size = field.value
  }
  if (!cid) throw new IpfsError('ERR_MALFORMED_BLOCK', 'protobuf: (PBLink) missing Hash')
  return { cid, name, size }
}

/** Bytes of a block that `isLeafHead` needs to see. */
export const leafHeadLength = 16

/** Whether a block of `length` bytes that begins with `head` holds data and no link at all. */
export function isLeafHead(head: Uint8Array, length: number): boolean {
  if (length === 0) return true
  const data = head[0] === 0x0a ? readVarint(head, 1) : undefined
  return data !== undefined && data.end + data.value === length
}
