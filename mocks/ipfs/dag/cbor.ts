/** CBOR as far as dag-cbor uses it, read into plain values with CIDs. https://ipld.io/specs/codecs/dag-cbor/spec/ */
import { IpfsError } from '../errors.ts'
import { CID } from './cid.ts'

export type DataValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CID
  | readonly DataValue[]
  | DataMap

/** A map of the IPLD data model, in the order of its block. */
export class DataMap extends Map<string, DataValue> {}

const cidTag = 42
const maxDepth = 512

/** Reads one value that fills all bytes. Throws ERR_MALFORMED_BLOCK. */
export function decodeCbor(bytes: Uint8Array): DataValue {
  const reader = new Reader(bytes)
  const value = reader.value(0)
  if (reader.at !== bytes.length) malformed('trailing bytes')
  return value
}

class Reader {
  at = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  value(depth: number): DataValue {
    if (depth > maxDepth) malformed('nested too deeply')
    const head = this.#byte()
    const kind = head >> 5
    if (kind === 7) return this.#simple(head & 31)
    const argument = this.#argument(head & 31)
    if (kind === 0) return argument
    if (kind === 1) return typeof argument === 'bigint' ? -1n - argument : -1 - argument
    const length = Number(argument)
    if (kind === 2) return this.#take(length)
    if (kind === 3) return Buffer.from(this.#take(length)).toString()
    if (kind === 4) return this.#list(length, depth)
    if (kind === 5) return this.#map(length, depth)
    return this.#link(length, depth)
  }

  #list(length: number, depth: number): DataValue[] {
    const list: DataValue[] = []
    for (let index = 0; index < length; index++) list.push(this.value(depth + 1))
    return list
  }

  #map(length: number, depth: number): DataMap {
    const map = new DataMap()
    for (let index = 0; index < length; index++) {
      const key = this.value(depth + 1)
      if (typeof key !== 'string') malformed('a key is no string')
      else map.set(key, this.value(depth + 1))
    }
    return map
  }

  #link(tag: number, depth: number): CID {
    const content = this.value(depth + 1)
    if (tag !== cidTag || !(content instanceof Uint8Array) || content[0] !== 0) malformed('unknown tag')
    return CID.decode((content as Uint8Array).subarray(1))
  }

  #simple(info: number): DataValue {
    if (info === 20) return false
    if (info === 21) return true
    if (info === 22 || info === 23) return null
    if (info === 27) return this.#view.getFloat64(this.#skip(8))
    if (info === 26) return this.#view.getFloat32(this.#skip(4))
    return malformed('unknown simple value')
  }

  #argument(info: number): number | bigint {
    if (info < 24) return info
    if (info === 24) return this.#byte()
    if (info === 25) return this.#view.getUint16(this.#skip(2))
    if (info === 26) return this.#view.getUint32(this.#skip(4))
    if (info !== 27) return malformed('indefinite length')
    const number = this.#view.getBigUint64(this.#skip(8))
    return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number
  }

  #byte(): number {
    return this.#bytes[this.#skip(1)] ?? 0
  }

  #take(length: number): Uint8Array {
    const start = this.#skip(length)
    return this.#bytes.subarray(start, start + length)
  }

  #skip(length: number): number {
    const start = this.at
    if (!(length >= 0) || start + length > this.#bytes.length) malformed('unexpected end')
    this.at += length
    return start
  }
}

function malformed(reason: string): never {
  throw new IpfsError('ERR_MALFORMED_BLOCK', `cbor: ${reason}`)
}
