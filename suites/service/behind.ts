/** The path of a blob, and in it its repository and its digest. */
export const read = /\/v2\/(.+)\/blobs\/([^/]+:[^/]+)$/

/** All bytes of some content. */
export async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}
