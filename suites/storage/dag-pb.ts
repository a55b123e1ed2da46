import { CID } from 'multiformats/cid'
import { expectThat } from '../../harness/finding.ts'
import { readVarint } from './varint.ts'

/** A UnixFS file node as it stands in a dag-pb block: bytes of its own, and then those of its children. */
export interface FileNode {
  readonly data: Uint8Array
  readonly links: readonly CID[]
}

const types = { raw: 0, file: 2 }

/** Reads a dag-pb block that holds a file or a part of one. */
export function fileNode(block: Uint8Array): FileNode {
  const node = fields(block)
  const links = node.filter(({ number }) => number === 2).map(({ bytes }) => CID.decode(field(bytes, 1)))
  const data = fields(field(block, 1))
  const type = data.find(({ number }) => number === 1)?.value
  expectThat(type === types.file || type === types.raw, 'a UnixFS file', `UnixFS type ${type ?? 'none'}`)
  return { data: data.find(({ number }) => number === 2)?.bytes ?? new Uint8Array(), links }
}

interface Field {
  readonly number: number
  readonly value: number
  readonly bytes: Uint8Array
}

/** The fields of a protobuf message; only varints and length-delimited ones stand in dag-pb and UnixFS files. */
function fields(message: Uint8Array): readonly Field[] {
  const found: Field[] = []
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at)
    const kind = tag.value & 7
    expectThat(kind === 0 || kind === 2, 'a dag-pb block', `a field of wire type ${kind}`)
    const { value, end } = readVarint(message, tag.end)
    const stop = kind === 2 ? end + value : end
    expectThat(stop <= message.length, 'a whole dag-pb block', 'a field that goes on past its end')
    found.push({ number: tag.value >> 3, value, bytes: message.subarray(end, stop) })
    at = stop
  }
  return found
}

function field(message: Uint8Array, wanted: number): Uint8Array {
  const found = fields(message).find(({ number }) => number === wanted)
  expectThat(found !== undefined, `field ${wanted} in a dag-pb block`, 'none')
  return found.bytes
}
