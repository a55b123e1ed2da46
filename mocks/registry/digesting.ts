import { createHash } from 'node:crypto'
import type { Algorithm } from './stores.ts'

/** What was learnt about bytes that went by. Complete once they have all gone by. */
export interface Digests {
  readonly size: number
  readonly sha256: string
  /** Only where it was asked for. */
  readonly sha512?: string
}

/** Relays bytes and learns their size and digests on the way: sha256 always, sha512 too where that is asked for. */
export function digesting(
  bytes: AsyncIterable<Uint8Array>,
  algorithm: Algorithm,
): { bytes: AsyncGenerator<Uint8Array>; digests(): Digests } {
  const sha256 = createHash('sha256')
  const sha512 = algorithm === 'sha512' ? createHash('sha512') : undefined
  let size = 0
  async function* relay(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.byteLength
      sha256.update(chunk)
      sha512?.update(chunk)
      yield chunk
    }
  }
  return {
    bytes: relay(),
    digests: () => ({
      size,
      sha256: `sha256:${sha256.digest('hex')}`,
      ...(sha512 && { sha512: `sha512:${sha512.digest('hex')}` }),
    }),
  }
}
