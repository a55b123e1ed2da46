import { CID } from 'multiformats/cid'
import { expectThat } from '../../harness/finding.ts'
import { expectNamed } from './cid.ts'
import { readVarint } from './varint.ts'

/** The blocks of a CAR (version 1) with one root, by the hex digits of their multihash; each was checked against its CID. */
export function blocksOf(car: Uint8Array, root: CID): ReadonlyMap<string, Uint8Array> {
  const header = readVarint(car, 0)
  const blocksAt = header.end + header.value
  const wanted = headerOf(root)
  const right = Buffer.compare(car.subarray(header.end, blocksAt), wanted) === 0
  expectThat(right, `the header of a CAR with the root ${root}`, `another of ${header.value} bytes`)
  const blocks = new Map<string, Uint8Array>()
  for (let at = blocksAt; at < car.length; ) {
    const { value, end } = readVarint(car, at)
    expectThat(end + value <= car.length, 'a CAR that ends with a block', 'a block that is cut short')
    const [cid, block] = CID.decodeFirst(car.subarray(end, end + value))
    expectNamed(block, cid)
    blocks.set(keyOf(cid), block)
    at = end + value
  }
  return blocks
}

/** CIDs of the same bytes share a key, whatever their version and codec. */
export const keyOf = ({ multihash }: CID): string => Buffer.from(multihash.bytes).toString('hex')

/** DAG-CBOR has one spelling: a map of `roots`, a list of one CID (tag 42), and `version`, 1. */
function headerOf({ bytes }: CID): Uint8Array {
  return Buffer.concat([
    Buffer.of(0xa2, 0x65),
    Buffer.from('roots'),
    Buffer.of(0x81, 0xd8, 0x2a, 0x58, bytes.length + 1, 0),
    bytes,
    Buffer.of(0x67),
    Buffer.from('version'),
    Buffer.of(1),
  ])
}
