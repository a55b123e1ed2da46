import type { Content } from '../../../fixtures/content.ts'
import type { Source } from '../../../fixtures/seed.ts'
import type { Answer } from '../../../harness/answer.ts'
import { PrerequisiteFailure } from '../../../harness/errors.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { locationOf, need, octets, sendChunk, withDigest } from '../../push.ts'

/** A part of a blob and the place of its first byte. */
export interface Chunk {
  readonly content: Content
  readonly start: number
}

/** An upload that is open, and what it is for: chunks that the registry takes, as it may ask for a smallest length. */
export interface ChunkedUpload {
  readonly location: string
  readonly whole: Content
  /** The chunks in order from 0; the last is shorter than the others. */
  chunk(index: number): Chunk
}

const usualLength = 1000
const lastLength = 137
const longestMinimum = 16 << 20

/** Starts an upload of content in so many chunks. */
export async function startChunks(
  client: RegistryClient,
  repository: string,
  source: Source,
  count: number,
): Promise<ChunkedUpload> {
  return chunksFrom(await client.post(`/v2/${repository}/blobs/uploads/`), source, count)
}

/** The upload that an answer started, for content in so many chunks. */
export function chunksFrom(answer: Answer, source: Source, count: number): ChunkedUpload {
  const started = need('starting an upload', answer, 202)
  const length = Math.max(usualLength, smallestChunk(started))
  const whole = source.bytes(length * (count - 1) + lastLength)
  return { location: locationOf(started), whole, chunk: (index) => chunkOf(whole, index, length) }
}

/** The smallest chunk that the registry announced; 0 where it announced none. */
export function smallestChunk(started: Answer): number {
  const minimum = Number(started.header('oci-chunk-min-length') ?? 0)
  if (minimum > longestMinimum)
    throw new PrerequisiteFailure(`chunks of ${minimum} bytes are too large to try`)
  return Number.isSafeInteger(minimum) ? minimum : 0
}

/** The chunk of this index where all have the same length but the last. */
export const chunkOf = (whole: Content, index: number, length: number): Chunk => ({
  content: whole.slice(index * length, (index + 1) * length),
  start: index * length,
})

/** Sends a chunk with its place, or with another start than its own. */
export const send = (
  client: RegistryClient,
  location: string,
  { content, start }: Chunk,
  claimed = start,
): Promise<Answer> => sendChunk(client, location, content, claimed)

/** Sends a chunk that has to be taken; returns where the upload goes on. */
export async function append(client: RegistryClient, location: string, chunk: Chunk): Promise<string> {
  return locationOf(need('a chunk in order', await send(client, location, chunk), 202))
}

/** The closing PUT with the last chunk in it. */
export function closeWith(
  client: RegistryClient,
  location: string,
  digest: string,
  { content, start }: Chunk,
  claimed = start,
): Promise<Answer> {
  const headers = { ...octets, 'content-range': `${claimed}-${claimed + content.size - 1}` }
  return client.put(withDigest(location, digest), { headers, body: content })
}

/** The value of Range after this chunk: the first and the last byte that are stored. */
export const rangeAfter = ({ content, start }: Chunk): string => `0-${start + content.size - 1}`
