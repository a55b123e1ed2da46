import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Answer } from '../../../harness/answer.ts'
import { expectThat } from '../../../harness/finding.ts'

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** The body without the codings that Content-Encoding states. */
export function decoded(answer: Answer): Uint8Array {
  const codings = (answer.header('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
  return codings
    .filter(Boolean)
    .reverse()
    .reduce((bytes, coding) => decodedOnce(bytes, coding), answer.body)
}

function decodedOnce(bytes: Uint8Array, coding: string): Uint8Array {
  let plain: Uint8Array | undefined
  try {
    plain = decoders[coding]?.(bytes)
  } catch {
    plain = undefined
  }
  expectThat(
    plain !== undefined,
    'a body in its content coding, which every client has',
    `${bytes.length} bytes that are not, labelled ${coding}`,
  )
  return plain
}
