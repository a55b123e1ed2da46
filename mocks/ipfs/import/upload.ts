/** The parts of an upload as files, directories and symbolic links, with the names that Kubo gives them. */
import { posix } from 'node:path'
import type { Attributes } from '../dag/unixfs.ts'
import { IpfsError } from '../errors.ts'
import { parseMediaType } from '../media-type.ts'
import type { MultipartSource, Part } from '../multipart.ts'

export interface UploadedEntry {
  readonly type: 'file' | 'directory' | 'symlink'
  /** Clean and relative; '' when the part has no name. */
  readonly path: string
  readonly attributes: Attributes
  readonly body: AsyncIterable<Uint8Array>
}

export async function* uploadedEntries(source: MultipartSource): AsyncGenerator<UploadedEntry> {
  for await (const part of source) {
    const disposition = parseMediaType(part.headers.get('content-disposition') ?? '')
    // To Kubo, a part that is no form data is the end of the upload.
    if (disposition.type === '') return
    yield {
      type: typeOf(part),
      path: cleanName(disposition.parameters.get('filename') ?? ''),
      attributes: attributesOf(disposition.parameters.get('name') ?? ''),
      body: part.body,
    }
  }
}

function typeOf(part: Part): UploadedEntry['type'] {
  const header = part.headers.get('content-type')
  if (header === undefined || header === '') return 'file'
  const { type } = parseMediaType(header)
  if (type === '') throw new IpfsError('ERR_INPUT', 'mime: no media type')
  if (type === 'application/x-directory' || type === 'multipart/form-data') return 'directory'
  return type === 'application/symlink' ? 'symlink' : 'file'
}

/** Decodes a name as a query component and takes every `..` out of it. */
function cleanName(name: string): string {
  let decoded = name
  try {
    decoded = decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    // Kubo keeps a name that does not decode as it is.
  }
  return posix.normalize(`/${decoded}`).replace(/^\/+|\/+$/g, '')
}

/** Mode and time stand in the name of the field: `file?mode=0644&mtime=1700000000&mtime-nsecs=5`. */
function attributesOf(field: string): Attributes {
  const question = field.indexOf('?')
  if (question < 0) return {}
  const query = new URLSearchParams(field.slice(question + 1))
  const mode = Number.parseInt(query.get('mode') ?? '', 8)
  const seconds = Number(query.get('mtime') ?? 0)
  const nanoseconds = Number(query.get('mtime-nsecs') ?? 0)
  return {
    ...(mode > 0 ? { mode: mode & 0o7777 } : {}),
    ...(Number.isSafeInteger(seconds) ? { mtime: { seconds, nanoseconds } } : {}),
  }
}

/** All bytes of a small part, such as the target of a symbolic link. Throws ERR_INPUT above `limit`. */
export async function readSmall(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw new IpfsError('ERR_INPUT', `part is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
