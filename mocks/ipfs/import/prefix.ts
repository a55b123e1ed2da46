/** How a block becomes a CID: version, hash function, and whether a tiny block lies in its own name. */
import { codecs, keyOfMultihash } from '../dag/cid.ts'
import { type HashFunction, identity, multihash, sha256 } from '../dag/hash.ts'
import { varint } from '../varint.ts'

export interface Prefix {
  readonly version: 0 | 1
  readonly hash: HashFunction
  /** Blocks of at most this many bytes become identity CIDs; undefined: none does. */
  readonly inlineLimit?: number
}

export const defaultPrefix: Prefix = { version: 0, hash: sha256 }

/** Takes the blocks of an import: a Session, a worker's buffer, or nothing at all for `only-hash`. */
export interface BlockSink {
  put(key: string, pieces: readonly Uint8Array[], length: number): void
}

export const nowhere: BlockSink = { put() {} }

/** Hashes a block, hands it to the sink and returns the bytes of its CID. The pieces must not change any more. */
export function seal(
  sink: BlockSink,
  prefix: Prefix,
  codec: number,
  pieces: readonly Uint8Array[],
  length: number,
): Uint8Array {
  if (prefix.inlineLimit !== undefined && length <= prefix.inlineLimit) {
    return cidBytes(codec, multihash(identity, pieces))
  }
  const hash = multihash(prefix.hash, pieces)
  if (prefix.hash !== identity) sink.put(keyOfMultihash(hash), pieces, length)
  return prefix.version === 0 && codec === codecs.dagPb ? hash : cidBytes(codec, hash)
}

const cidBytes = (codec: number, hash: Uint8Array): Uint8Array =>
  Buffer.concat([version1, varint(codec), hash])

const version1 = Uint8Array.of(1)
