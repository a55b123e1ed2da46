/** CAR files, version 1: blocks in a row behind a list of roots. https://ipld.io/specs/transport/car/carv1/ */
import { DataMap, decodeCbor } from './dag/cbor.ts'
import { CID } from './dag/cid.ts'
import { IpfsError } from './errors.ts'
import { readVarint, varint } from './varint.ts'

/** The most bytes of one section, a guard against a length that is none. */
const maxSection = 8 * 1024 * 1024

/** The header with its length. */
export function carHeader(roots: readonly CID[]): Uint8Array {
  const header = Buffer.concat([
    Uint8Array.of(0xa2, 0x65),
    Buffer.from('roots'),
    listHead(roots.length),
    ...roots.flatMap(({ bytes }) => [cborLink(bytes.length + 1), bytes]),
    Uint8Array.of(0x67),
    Buffer.from('version'),
    Uint8Array.of(1),
  ])
  return Buffer.concat([varint(header.length), header])
}

const listHead = (length: number) =>
  length < 24 ? Uint8Array.of(0x80 + length) : Uint8Array.of(0x98, length)

/** Tag 42 and the begin of a byte string of `length`, whose first byte is the multibase prefix 0. */
const cborLink = (length: number) =>
  length < 24 ? Uint8Array.of(0xd8, 0x2a, 0x40 + length, 0) : Uint8Array.of(0xd8, 0x2a, 0x58, length, 0)

export function carSection(cid: CID, block: Uint8Array): Uint8Array {
  return Buffer.concat([varint(cid.bytes.length + block.length), cid.bytes, block])
}

export interface Car {
  readonly roots: readonly CID[]
  readonly blocks: AsyncGenerator<{ readonly cid: CID; readonly block: Uint8Array }>
}

/** Reads a CAR as it arrives. Throws ERR_INPUT when it is none, or cut. */
export async function readCar(source: AsyncIterable<Uint8Array>): Promise<Car> {
  const sections = readSections(source)
  const header = await sections.next()
  // An empty file is no CAR, and Kubo lets it pass.
  if (header.done) return { roots: [], blocks: readBlocks(sections) }
  return { roots: readRoots(header.value), blocks: readBlocks(sections) }
}

function readRoots(header: Uint8Array): CID[] {
  const value = decodeCbor(header)
  const version = value instanceof DataMap ? value.get('version') : undefined
  if (version !== 1) throw bad(`invalid car version: ${String(version)}`)
  const roots = value instanceof DataMap ? value.get('roots') : undefined
  return Array.isArray(roots) ? roots.filter((root) => root instanceof CID) : []
}

async function* readBlocks(sections: AsyncIterable<Uint8Array>): Car['blocks'] {
  for await (const section of sections) {
    const [cid, block] = CID.decodeFirst(section)
    yield { cid, block }
  }
}

async function* readSections(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    for (let head = readVarint(rest, 0); head; head = readVarint(rest, 0)) {
      if (head.value === 0 || head.value > maxSection)
        throw bad('malformed car; section of an impossible length')
      const end = head.end + head.value
      if (rest.length < end) break
      yield rest.subarray(head.end, end)
      rest = rest.subarray(end)
    }
  }
  if (rest.length > 0) throw bad('unexpected EOF')
}

const bad = (message: string) => new IpfsError('ERR_INPUT', message)
