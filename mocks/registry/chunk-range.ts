import type { ByteRange } from './range.ts'

/**
 * The `Content-Range` of a chunk, which is `START-END` without a unit. Undefined without the header: then the chunk
 * goes where the upload ends. https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pushing-a-blob-in-chunks
 */
export function chunkRange(header: string | null): ByteRange | 'malformed' | undefined {
  if (header === null) return undefined
  const [, first, last] = /^([0-9]+)-([0-9]+)$/.exec(header) ?? []
  if (first === undefined || last === undefined || Number(first) > Number(last)) return 'malformed'
  return { first: Number(first), last: Number(last) }
}
