import { createHash } from 'node:crypto'
import { type Content, literal, repeated } from '../../fixtures/content.ts'

/** Contents, and the CIDs that Kubo 0.42.0 gives them with default options. */
export const golden: readonly (readonly [content: () => Content, cid: string])[] = [
  [() => literal(''), 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'],
  [() => literal('hello world'), 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'],
  [() => repeated(0, 262_144), 'QmRk1rduJvo5DfEYAaLobS2za9tDszk35hzaNSDCJ74DA7'],
  [() => counting(262_144), 'QmeqfRyS3vkku7n6krqC3DgGMex3x2sCpSeKMDmrG13QQq'],
  [() => counting(262_145), 'QmUSjGawaz4ptvREcMKSMJneWCa5j8dAz2wSAAvHtW2rnB'],
  [() => counting(600_000), 'QmWKdZuiD9zqoZFnLYbpV2Q5YhRCJWpqiVeYA8ygYEjcEe'],
  [() => hashes('golden-1', 3_000_000), 'QmPJJaQMckNvR69ZfgmEqnGRfhvm8T37jz87sSoRPgEom2'],
]

/** More than one level of links, at 174 a node. */
export const largeGolden: (typeof golden)[number] = [
  () => repeated(0, 45_613_057),
  'QmehMASWcBsX7VcEQqs6rpR5AHoBfKyBVEgmkJHjpPg8jq',
]

/** Byte i is i modulo 251. */
const counting = (size: number) => literal(Uint8Array.from({ length: size }, (_, i) => i % 251))

/** SHA-256 of the seed and a counter of 64 bits, one after the other. */
function hashes(seed: string, size: number): Content {
  const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, i) => {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(i))
    return createHash('sha256').update(seed).update(counter).digest()
  })
  return literal(Buffer.concat(blocks).subarray(0, size))
}
