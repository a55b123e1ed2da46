import { createHash } from 'node:crypto'
import { base32 } from 'multiformats/bases/base32'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { CID } from 'multiformats/cid'
import { expectThat } from '../../harness/finding.ts'
import { step } from '../step.ts'

const bases = base32.decoder.or(base36.decoder).or(base58btc.decoder)
const sha256Code = 0x12
export const rawCodec = 0x55

/** The CID that a node told, for what builds on it. */
export const cidOf = (text: string): CID => step('reading the CID', () => readCid(text))

/** The CID that a node told, which has to be well formed and spelt in the one way of its base. */
export function readCid(text: string): CID {
  const cid = parse(text)
  expectThat(cid !== undefined, 'a well-formed CID', text)
  const { digest } = cid.multihash
  expectThat(cid.code !== 0 && digest.length > 0, 'a CID with a codec and a hash', text)
  const base =
    [base32, base36].find(({ prefix }) => cid.version === 1 && text.startsWith(prefix)) ?? base58btc
  // What was parsed remembers how it was spelt.
  const same = CID.decode(cid.bytes)
  const right = cid.version === 1 ? same.toString(base) : same.toString()
  expectThat(text === right, `the canonical spelling ${right}`, text)
  return cid
}

/** The same content as a CIDv1 in base32. */
export const asVersion1 = (text: string): string => cidOf(text).toV1().toString(base32)

/** The block of a CID, checked against its hash, which has to be the one that every node has. */
export function expectNamed(bytes: Uint8Array, cid: CID): void {
  const { code, digest } = cid.multihash
  const named = code === sha256Code && createHash('sha256').update(bytes).digest().equals(digest)
  const seen = code === sha256Code ? `${bytes.length} other bytes` : `hash function ${code}`
  expectThat(named, `a block with the sha2-256 hash in ${cid}`, seen)
}

/** A well-formed CIDv0 of bytes that nobody has. */
export const cidOfNothing = (bytes: Uint8Array): string =>
  base58btc.baseEncode(
    Buffer.concat([Buffer.of(sha256Code, 32), createHash('sha256').update(bytes).digest()]),
  )

function parse(text: string): CID | undefined {
  try {
    return /^[bkz]/.test(text) ? CID.parse(text, bases) : CID.parse(text)
  } catch {
    return undefined
  }
}
