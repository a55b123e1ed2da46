import { CID } from 'multiformats/cid'
import { expectThat } from '../../harness/finding.ts'
import { expectNamed } from './cid.ts'
import { readVarint } from './varint.ts'

/** A block and the CID that the CAR gives it, against which it was checked. */
export interface CarBlock {
  readonly cid: CID
  readonly bytes: Uint8Array
}

/** The blocks of a CAR (version 1), in their order. Which roots it names is nowhere specified for gateways. */
export function blocksOf(car: Uint8Array): readonly CarBlock[] {
  const header = readVarint(car, 0)
  const blocksAt = header.end + header.value
  const told = Buffer.from(car.subarray(header.end, blocksAt))
  const right = told.subarray(0, start.length).equals(start) && told.subarray(-end.length).equals(end)
  expectThat(right, 'the header of a CAR of version 1', `another of ${header.value} bytes`)
  const blocks: CarBlock[] = []
  for (let at = blocksAt; at < car.length; ) {
    const section = readVarint(car, at)
    const stop = section.end + section.value
    expectThat(stop <= car.length, 'a CAR that ends with a block', 'a block that is cut short')
    const [cid, bytes] = CID.decodeFirst(car.subarray(section.end, stop))
    expectNamed(bytes, cid)
    blocks.push({ cid, bytes })
    at = stop
  }
  return blocks
}

/** CIDs of the same bytes share a key, whatever their version and codec. */
export const keyOf = ({ multihash }: CID): string => Buffer.from(multihash.bytes).toString('hex')

/** DAG-CBOR has one spelling: a map of `roots`, a list, and then `version`, 1. */
const start = Buffer.concat([Buffer.of(0xa2, 0x65), Buffer.from('roots')])
const end = Buffer.concat([Buffer.of(0x67), Buffer.from('version'), Buffer.of(1)])
