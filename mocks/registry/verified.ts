import { createHash } from 'node:crypto'

/** Content that is not what its digest says, or not as long as was recorded. */
export class ContentDamaged extends Error {
  readonly code = 'ERR_CONTENT_DAMAGED'
  override readonly name = 'ContentDamaged'
}

/**
 * Relays content and checks it against size and sha256. The last piece is held back until the verdict, so that what
 * went out is short of the announced length, and nobody takes bad content for good. Throws `ContentDamaged`.
 */
export async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  expected: { digest: string; size: number },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const piece of measured(bytes, expected.size, (chunk) => hash.update(chunk))) {
    if (piece.last && `sha256:${hash.digest('hex')}` !== expected.digest) {
      throw new ContentDamaged(`the content of ${expected.digest} has another digest`)
    }
    yield piece.chunk
  }
}

/** Relays part of some content: nothing but its length can be checked. */
export async function* counted(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  for await (const { chunk } of measured(bytes, size, () => undefined)) yield chunk
}

/** Pieces of exactly `size` bytes in all, the last one marked. An empty content is one empty last piece. */
async function* measured(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
  see: (chunk: Uint8Array) => void,
): AsyncGenerator<{ chunk: Uint8Array; last: boolean }> {
  let held: Uint8Array | undefined
  let seen = 0
  for await (const chunk of bytes) {
    see(chunk)
    seen += chunk.byteLength
    if (seen > size) break
    if (held) yield { chunk: held, last: false }
    held = chunk
  }
  if (seen !== size) throw new ContentDamaged(`the storage node returned ${seen} or more bytes of ${size}`)
  yield { chunk: held ?? new Uint8Array(), last: true }
}
