/** MurmurHash3 for 64-bit machines, the first half of its 128 bits: how sharded directories place names. */
const first = 0x87c37b91114253d5n
const second = 0x4cf5ad432745937fn

const wrap = (value: bigint) => BigInt.asUintN(64, value)
const rotate = (value: bigint, bits: bigint) => wrap((value << bits) | (value >> (64n - bits)))
const mixFirst = (k: bigint) => wrap(rotate(wrap(k * first), 31n) * second)
const mixSecond = (k: bigint) => wrap(rotate(wrap(k * second), 33n) * first)

function finish(value: bigint): bigint {
  let hash = wrap((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn)
  hash = wrap((hash ^ (hash >> 33n)) * 0xc4ceb9fe1a85ec53n)
  return hash ^ (hash >> 33n)
}

/** The eight bytes of the hash, the highest first. */
export function murmur3(bytes: Uint8Array): Uint8Array {
  const whole = bytes.length - (bytes.length % 16)
  const padded = Buffer.alloc(Math.ceil(bytes.length / 16) * 16)
  padded.set(bytes)
  let h1 = 0n
  let h2 = 0n
  for (let at = 0; at < whole; at += 16) {
    h1 ^= mixFirst(padded.readBigUInt64LE(at))
    h1 = wrap((rotate(h1, 27n) + h2) * 5n + 0x52dce729n)
    h2 ^= mixSecond(padded.readBigUInt64LE(at + 8))
    h2 = wrap((rotate(h2, 31n) + h1) * 5n + 0x38495ab5n)
  }
  if (whole < bytes.length) {
    h2 ^= mixSecond(padded.readBigUInt64LE(whole + 8))
    h1 ^= mixFirst(padded.readBigUInt64LE(whole))
  }
  const length = BigInt(bytes.length)
  const a = wrap((h1 ^ length) + (h2 ^ length))
  const b = wrap((h2 ^ length) + a)
  const digest = Buffer.alloc(8)
  digest.writeBigUInt64BE(wrap(finish(a) + finish(b)))
  return digest
}
