/** The part of the protobuf wire format that dag-pb and UnixFS use: varints, length-delimited bytes, fixed32. */
import { IpfsError } from '../errors.ts'
import { readVarint, varintLength, writeVarint } from '../varint.ts'

export interface Field {
  readonly number: number
  /** The value of a varint or fixed32 field, 0 for bytes. */
  readonly value: number
  /** The content of a length-delimited field, empty for numbers. */
  readonly bytes: Uint8Array
}

const none = new Uint8Array(0)
const wireBytes = 2
const wireFixed32 = 5

/** Reads the fields of a message in their order. Throws ERR_MALFORMED_BLOCK. */
export function* readFields(message: Uint8Array): Generator<Field> {
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at) ?? malformed()
    const number = Math.floor(tag.value / 8)
    const wire = tag.value % 8
    if (wire === wireFixed32) {
      if (tag.end + 4 > message.length) malformed()
      const view = new DataView(message.buffer, message.byteOffset + tag.end, 4)
      at = tag.end + 4
      yield { number, value: view.getUint32(0, true), bytes: none }
      continue
    }
    const first = readVarint(message, tag.end) ?? malformed()
    if (wire !== 0 && wire !== wireBytes) malformed()
    at = wire === wireBytes ? first.end + first.value : first.end
    if (at > message.length) malformed()
    yield wire === wireBytes
      ? { number, value: 0, bytes: message.subarray(first.end, at) }
      : { number, value: first.value, bytes: none }
  }
}

function malformed(): never {
  throw new IpfsError('ERR_MALFORMED_BLOCK', 'protobuf: malformed message')
}

/** A message that is written field by field. */
export class MessageWriter {
  readonly #parts: Uint8Array[] = []
  #length = 0

  number(field: number, value: number): this {
    const bytes = new Uint8Array(1 + varintLength(value))
    bytes[0] = field * 8
    writeVarint(bytes, 1, value)
    return this.#push(bytes)
  }

  /** A signed 64-bit number, as `int64` writes it: two's complement in ten bytes when negative. */
  int64(field: number, value: number): this {
    if (value >= 0) return this.number(field, value)
    const bytes = new Uint8Array(11)
    bytes[0] = field * 8
    let rest = BigInt.asUintN(64, BigInt(value))
    for (let at = 1; at < 10; at++, rest >>= 7n) bytes[at] = Number(rest & 127n) | 128
    bytes[10] = Number(rest)
    return this.#push(bytes)
  }

  fixed32(field: number, value: number): this {
    const bytes = new Uint8Array(5)
    bytes[0] = field * 8 + wireFixed32
    new DataView(bytes.buffer).setUint32(1, value, true)
    return this.#push(bytes)
  }

  bytes(field: number, value: Uint8Array): this {
    const head = new Uint8Array(1 + varintLength(value.length))
    head[0] = field * 8 + wireBytes
    writeVarint(head, 1, value.length)
    return this.#push(head).#push(value)
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts, this.#length)
  }

  #push(bytes: Uint8Array): this {
    this.#parts.push(bytes)
    this.#length += bytes.length
    return this
  }
}
