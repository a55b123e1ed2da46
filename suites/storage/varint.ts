import { expectThat } from '../../harness/finding.ts'

/** An unsigned varint (LEB128) at a place in some bytes, and where it ends. */
export function readVarint(
  bytes: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } {
  let value = 0
  let scale = 1
  for (let at = start; ; at += 1) {
    const byte = bytes[at]
    expectThat(byte !== undefined && at - start < 8, `a varint at byte ${start}`, 'bytes that end in it')
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, end: at + 1 }
    scale *= 128
  }
}
