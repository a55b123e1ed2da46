/** The key pair of a storage node, as its name in the network. https://github.com/libp2p/specs/blob/master/peer-ids/ */
import { generateKeyPairSync } from 'node:crypto'
import { base58btc } from 'multiformats/bases/base58'

export interface Identity {
  /** The peer id, `12D3KooW…`. */
  readonly id: string
  /** The public key as protobuf, in base64. */
  readonly publicKey: string
}

/** KeyType Ed25519 and the 32 bytes of the key, as libp2p writes a public key. */
const keyHead = Uint8Array.of(0x08, 0x01, 0x12, 0x20)

/** A new identity. */
export function createIdentity(): Identity {
  const { publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const key = Buffer.concat([keyHead, raw])
  return {
    id: base58btc.baseEncode(Buffer.concat([Uint8Array.of(0, key.length), key])),
    publicKey: key.toString('base64'),
  }
}
