/** Content identifiers: how they are read, written and compared. https://github.com/multiformats/cid */
import { base16, base16upper } from 'multiformats/bases/base16'
import { base32, base32hex, base32hexupper, base32upper, base32z } from 'multiformats/bases/base32'
import { base36, base36upper } from 'multiformats/bases/base36'
import { base58btc, base58flickr } from 'multiformats/bases/base58'
import { base64, base64pad, base64url, base64urlpad } from 'multiformats/bases/base64'
import type { MultibaseDecoder, MultibaseEncoder } from 'multiformats/bases/interface'
import { CID } from 'multiformats/cid'
import { IpfsError } from '../errors.ts'

export { CID }

/** The codes of the multicodec table that this node tells apart. */
export const codecs = {
  cbor: 0x51,
  raw: 0x55,
  dagPb: 0x70,
  dagCbor: 0x71,
  dagJson: 0x0129,
  json: 0x0200,
}

type Base = MultibaseEncoder<string> & { readonly decoder: MultibaseDecoder<string> }

const bases: readonly Base[] = [
  base32,
  base32upper,
  base32hex,
  base32hexupper,
  base32z,
  base36,
  base36upper,
  base58btc,
  base58flickr,
  base64,
  base64pad,
  base64url,
  base64urlpad,
  base16,
  base16upper,
]
const byPrefix = new Map(bases.map((base) => [base.prefix, base]))
const byName = new Map(bases.map((base) => [base.name, base]))

/** The key of the block that a CID names: its multihash. Version and codec are only ways to read the same bytes. */
export type BlockKey = string

export const blockKey = (cid: CID): BlockKey => keyOfMultihash(cid.multihash.bytes)

export function keyOfMultihash(multihash: Uint8Array): BlockKey {
  return Buffer.from(multihash.buffer, multihash.byteOffset, multihash.length).toString('latin1')
}

const multihashOfKey = (key: BlockKey): Uint8Array => Buffer.from(key, 'latin1')

/** The multihash inside the bytes of a CID, version 0 or 1, without making an object of it. */
export function keyOfCidBytes(bytes: Uint8Array): BlockKey {
  if (bytes.length === 34 && bytes[0] === 0x12 && bytes[1] === 0x20) return keyOfMultihash(bytes)
  return blockKey(CID.decode(bytes))
}

/** Reads a CID in any multibase. Throws ERR_BAD_PATH with the words of go-cid. */
export function parseCid(text: string): CID {
  if (text.length < 2) throw new IpfsError('ERR_BAD_PATH', 'invalid cid: cid too short')
  const isVersion0 = text.length === 46 && text.startsWith('Qm')
  const base = isVersion0 ? base58btc : byPrefix.get(text.charAt(0))
  if (!base) throw new IpfsError('ERR_BAD_PATH', 'invalid cid: selected encoding not supported')
  try {
    return CID.decode(base.decoder.decode(isVersion0 ? `z${text}` : text))
  } catch (cause) {
    throw new IpfsError('ERR_BAD_PATH', `invalid cid: illegal ${base.name} data`, { cause })
  }
}

/** Writes a CID: in base58btc without prefix for version 0, else in the multibase called `base`. */
export function formatCid(cid: CID, base = 'base32'): string {
  if (cid.version === 0) return cid.toString()
  const encoder = byName.get(base)
  if (!encoder) throw new IpfsError('ERR_INPUT', `unsupported multibase encoding: ${base}`)
  return cid.toString(encoder)
}

export const isMultibase = (name: string): boolean => byName.has(name)

/** The CIDv1 with the raw codec of a block: how Kubo names a block of which it knows no more. */
export function rawCid(key: BlockKey): CID {
  return CID.decode(Buffer.concat([Uint8Array.of(1, codecs.raw), multihashOfKey(key)]))
}

/** The content of an identity CID, which needs no store; undefined for every other one. */
export function inlineContent(cid: CID): Uint8Array | undefined {
  return cid.multihash.code === 0 ? cid.multihash.digest : undefined
}
