/** The hash functions that `add` and `block/put` offer, by the names and codes of the multihash table. */
import { createHash } from 'node:crypto'
import { varint } from '../varint.ts'
import { blake2b } from './blake2b.ts'

export interface HashFunction {
  readonly code: number
  /** The digest of the pieces joined. */
  digest(pieces: readonly Uint8Array[]): Uint8Array
}

const native = (code: number, algorithm: string): HashFunction => ({
  code,
  digest(pieces) {
    const hash = createHash(algorithm)
    for (const piece of pieces) hash.update(piece)
    return hash.digest()
  },
})

export const sha256 = native(0x12, 'sha256')

/** The digest is the content itself: a block that lies in its own name. */
export const identity: HashFunction = { code: 0, digest: (pieces) => Buffer.concat(pieces) }

const byName = new Map<string, HashFunction>([
  ['sha2-256', sha256],
  ['sha2-512', native(0x13, 'sha512')],
  ['sha1', native(0x11, 'sha1')],
  ['sha3-224', native(0x17, 'sha3-224')],
  ['sha3-256', native(0x16, 'sha3-256')],
  ['sha3-384', native(0x15, 'sha3-384')],
  ['sha3-512', native(0x14, 'sha3-512')],
  ['sha3', native(0x14, 'sha3-512')],
  ['blake2b-256', { code: 0xb220, digest: (pieces) => blake2b(pieces, 32) }],
  ['blake2b-512', native(0xb240, 'blake2b512')],
  ['blake2s-256', native(0xb260, 'blake2s256')],
  ['identity', identity],
])
const byCode = new Map([...byName.values()].map((hash) => [hash.code, hash]))

export const hashByName = (name: string): HashFunction | undefined => byName.get(name.toLowerCase())
export const hashByCode = (code: number): HashFunction | undefined => byCode.get(code)

/** Code and length of the digest, then the digest. */
export function multihash(hash: HashFunction, pieces: readonly Uint8Array[]): Uint8Array {
  const digest = hash.digest(pieces)
  if (hash === sha256) return Buffer.concat([sha256Head, digest], 34)
  return Buffer.concat([varint(hash.code), varint(digest.length), digest])
}

const sha256Head = Uint8Array.of(0x12, 0x20)
