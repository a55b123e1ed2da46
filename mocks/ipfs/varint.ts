/** Unsigned LEB128 numbers, as protobuf, CIDs and CAR files use them, up to 2^53. */

/** Bytes that `value` takes. */
export function varintLength(value: number): number {
  let length = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++
  return length
}

/** Writes `value` at `offset` and returns the offset behind it. */
export function writeVarint(target: Uint8Array, offset: number, value: number): number {
  let rest = value
  let at = offset
  for (; rest >= 128; rest = Math.floor(rest / 128)) target[at++] = (rest % 128) | 128
  target[at++] = rest
  return at
}

export function varint(value: number): Uint8Array {
  const bytes = new Uint8Array(varintLength(value))
  writeVarint(bytes, 0, value)
  return bytes
}

/** The value at `offset` and the offset behind it; undefined when the bytes end before the number does. */
export function readVarint(source: Uint8Array, offset: number): { value: number; end: number } | undefined {
  let value = 0
  let scale = 1
  for (let at = offset; at < source.length && at < offset + 9; at++) {
    const byte = source[at] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return { value, end: at + 1 }
    scale *= 128
  }
  return undefined
}
