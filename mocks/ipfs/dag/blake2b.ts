/** BLAKE2b with a digest of any length, which node:crypto has for 64 bytes only. https://www.rfc-editor.org/rfc/rfc7693 */

/** The initial state: 64-bit words as pairs of 32 bits, the low half first. */
const initial = Uint32Array.of(
  0xf3bcc908,
  0x6a09e667,
  0x84caa73b,
  0xbb67ae85,
  0xfe94f82b,
  0x3c6ef372,
  0x5f1d36f1,
  0xa54ff53a,
  0xade682d1,
  0x510e527f,
  0x2b3e6c1f,
  0x9b05688c,
  0xfb41bd6b,
  0x1f83d9ab,
  0x137e2179,
  0x5be0cd19,
)

const permutations: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]

/** The words that each of the eight mixing steps of a round takes. */
const steps: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
]

const blockLength = 128

/** The digest of the pieces joined, `length` bytes of it (1 to 64). */
export function blake2b(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const state = initial.slice()
  word(state, 0, 0x01010000 ^ length, 0)
  const content = Buffer.concat(pieces)
  const count = Math.max(1, Math.ceil(content.length / blockLength))
  const block = new Uint8Array(blockLength)
  for (let index = 0; index < count; index++) {
    const at = index * blockLength
    const end = Math.min(content.length, at + blockLength)
    block.fill(0)
    block.set(content.subarray(at, end))
    compress(state, block, end, index === count - 1)
  }
  const digest = Buffer.alloc(64)
  for (const [index, half] of state.entries()) digest.writeUInt32LE(half, index * 4)
  return digest.subarray(0, length)
}

/** Combines a word of the state with another by exclusive or. */
function word(words: Uint32Array, index: number, low: number, high: number): void {
  words[index * 2] = (words[index * 2] ?? 0) ^ low
  words[index * 2 + 1] = (words[index * 2 + 1] ?? 0) ^ high
}

function compress(state: Uint32Array, block: Uint8Array, counter: number, last: boolean): void {
  const message = new Uint32Array(32)
  const view = new DataView(block.buffer)
  for (let index = 0; index < 32; index++) message[index] = view.getUint32(index * 4, true)
  const work = new Uint32Array(32)
  work.set(state)
  work.set(initial, 16)
  word(work, 12, counter >>> 0, Math.floor(counter / 2 ** 32))
  if (last) word(work, 14, 0xffffffff, 0xffffffff)
  for (let round = 0; round < 12; round++) {
    const order = permutations[round % 10] ?? []
    for (const [index, [a, b, c, d]] of steps.entries()) {
      add(work, a, work, b)
      add(work, a, message, order[index * 2] ?? 0)
      turn(work, d, a, 32)
      add(work, c, work, d)
      turn(work, b, c, 24)
      add(work, a, work, b)
      add(work, a, message, order[index * 2 + 1] ?? 0)
      turn(work, d, a, 16)
      add(work, c, work, d)
      turn(work, b, c, 63)
    }
  }
  for (let index = 0; index < 16; index++) {
    state[index] = (state[index] ?? 0) ^ (work[index] ?? 0) ^ (work[index + 16] ?? 0)
  }
}

/** `words[to] += other[from]`, modulo 2^64. */
function add(words: Uint32Array, to: number, other: Uint32Array, from: number): void {
  const low = (words[to * 2] ?? 0) + (other[from * 2] ?? 0)
  words[to * 2 + 1] = (words[to * 2 + 1] ?? 0) + (other[from * 2 + 1] ?? 0) + (low > 0xffffffff ? 1 : 0)
  words[to * 2] = low
}

/** `words[to] = (words[to] ^ words[by]) >>> bits`, turned around. */
function turn(words: Uint32Array, to: number, by: number, bits: number): void {
  const low = (words[to * 2] ?? 0) ^ (words[by * 2] ?? 0)
  const high = (words[to * 2 + 1] ?? 0) ^ (words[by * 2 + 1] ?? 0)
  const [first, second] = bits >= 32 ? [high, low] : [low, high]
  const rest = bits % 32
  words[to * 2] = rest === 0 ? first : (first >>> rest) | (second << (32 - rest))
  words[to * 2 + 1] = rest === 0 ? second : (second >>> rest) | (first << (32 - rest))
}
