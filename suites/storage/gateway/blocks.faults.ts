import { CID } from 'multiformats/cid'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { addingWith, rpc, type Seam, storing, telling } from '../seams.faults.ts'

const { corruption } = faultKinds<Seams>()

const whole = ['storage.gateway.raw.whole']
const [raw, dagPb] = [0x55, 0x70]
const readsStrictly = 'reads blocks strictly, also when their hash is right'

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)]
}

const field = (number: number, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes])

/** The dag-pb block of a file of one block. */
const leafOf = (file: Uint8Array) =>
  field(1, Buffer.concat([Buffer.of(8, 2), field(2, file), Buffer.from([0x18, ...varint(file.length)])]))

const named = (cid: unknown, codec: number) => CID.createV1(codec, CID.parse(String(cid)).multihash)

/**
 * Keeps content as one dag-pb block that no other node would write, under its right hash: the node stores the block as
 * a raw one, and names it otherwise.
 */
const blockOf = (change: (leaf: Uint8Array) => Uint8Array): Seams => {
  const options = { chunker: 'size-2000000', 'cid-version': '1' }
  const storage: Seam = (next) => {
    const told = telling(rpc.add, (line) => ({ ...line, Hash: named(line['Hash'], dagPb).toString() }))(next)
    return storing((file) => change(leafOf(file)))(addingWith(options)(told))
  }
  const gateway: Seam = (next) => (request, context) => {
    const { pathname, search, origin } = new URL(request.url)
    const [, cid] = /^\/ipfs\/(b\w{58})$/.exec(pathname) ?? []
    if (cid === undefined) return next(request, context)
    const url = `${origin}/ipfs/${named(cid, raw)}${search}`
    return next(new Request(url, { method: request.method, headers: request.headers }), context)
  }
  return { storage, gateway }
}

const behind = (...bytes: readonly number[]) => blockOf((leaf) => Buffer.concat([leaf, Buffer.from(bytes)]))

export const faults = [
  corruption(
    'storage.block.wire-type',
    'a block has a field of a wire type that dag-pb has not',
    [...whole, 'storage.gateway.car'],
    behind(0x7d, 1),
    readsStrictly,
  ),
  corruption('storage.block.cut', 'a block ends within a field', whole, behind(0x7a, 5, 0), readsStrictly),
  corruption('storage.block.varint', 'a block ends within a varint', whole, behind(0x80), readsStrictly),
  corruption(
    'storage.block.no-data',
    'a block has no field for its data',
    [...whole, 'storage.gateway.car'],
    blockOf(() => Buffer.of(0x78, 1)),
    readsStrictly,
  ),
]
