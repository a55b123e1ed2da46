import { Finding } from '../../harness/finding.ts'

/** Bytes of a varint that a number holds exactly. */
const longest = 7

/** An unsigned varint (LEB128) at a place in some bytes, and where it ends. */
export function readVarint(
  bytes: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } {
  let value = 0
  let scale = 1
  for (const [i, byte] of bytes.subarray(start, start + longest).entries()) {
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, end: start + i + 1 }
    scale *= 128
  }
  throw new Finding(`a varint at byte ${start}`, 'bytes that end in it')
}
