/** The options of `add` as they decide about CIDs. Every refusal is Kubo's sentence. */
import { hashByName } from '../dag/hash.ts'
import type { Attributes } from '../dag/unixfs.ts'
import { IpfsError } from '../errors.ts'
import type { Options } from '../rpc/call.ts'
import type { FileLayout } from './file.ts'
import type { Prefix } from './prefix.ts'

/** Options of `add` that this module reads. */
export const importOptions = {
  'cid-version': 'int',
  hash: 'string',
  'raw-leaves': 'bool',
  chunker: 'string',
  'max-file-links': 'int',
  inline: 'bool',
  'inline-limit': 'int',
  mode: 'uint',
  mtime: 'int',
  'mtime-nsecs': 'uint',
  'preserve-mode': 'bool',
  'preserve-mtime': 'bool',
} as const

export interface ImportSettings {
  readonly layout: FileLayout
  /** What a file or directory gets, after what its part says of itself. */
  attributesOf(part: Attributes): Attributes
}

const maxChunk = 2096896
const maxInline = 128

/** Throws ERR_INPUT. */
export function importSettings(options: Options): ImportSettings {
  const attributes = readAttributes(options)
  const preserveMode = options.flag('preserve-mode', false)
  const preserveMtime = options.flag('preserve-mtime', false)
  const keepsAttributes =
    attributes.mode !== undefined || attributes.mtime !== undefined || preserveMode || preserveMtime
  const prefix = readPrefix(options)
  const rawLeaves = options.flag('raw-leaves', prefix.version === 1 && !keepsAttributes)
  if (rawLeaves && keepsAttributes) {
    throw bad("raw-leaves can't be used with UnixFS metadata like mode or modification time")
  }
  return {
    attributesOf: (part) => ({
      ...pick('mode', preserveMode ? part.mode : attributes.mode),
      ...pick('mtime', preserveMtime ? part.mtime : attributes.mtime),
    }),
    layout: {
      prefix,
      rawLeaves,
      chunkSize: readChunkSize(options.text('chunker') || 'size-262144'),
      maxLinks: readMaxLinks(options.number('max-file-links') ?? 0),
    },
  }
}

const pick = <K extends keyof Attributes>(name: K, value: Attributes[K]): Attributes =>
  value === undefined ? {} : { [name]: value }

function readMaxLinks(number: number): number {
  // One link a node would never end.
  if (number === 1) throw bad('max-file-links must be at least 2')
  return number > 1 ? number : 174
}

function readPrefix(options: Options): Prefix {
  const name = (options.text('hash') || 'sha2-256').toLowerCase()
  const hash = hashByName(name)
  if (!hash) throw bad(`unrecognized hash function: ${JSON.stringify(name)}`)
  const isDefaultHash = name === 'sha2-256'
  const version = options.number('cid-version') ?? (isDefaultHash ? 0 : 1)
  if (version !== 0 && version !== 1) throw bad(`unknown CID version: ${version}`)
  if (version === 0 && !isDefaultHash) throw bad('CIDv0 only supports sha2-256')
  if (!options.flag('inline', false)) return { version, hash }
  const inlineLimit = options.number('inline-limit') ?? 32
  if (inlineLimit > maxInline) {
    throw bad(`inline-limit ${inlineLimit} exceeds maximum allowed size of ${maxInline} bytes`)
  }
  return { version, hash, inlineLimit }
}

function readAttributes(options: Options): Attributes {
  const mode = options.number('mode') ?? 0
  const seconds = options.number('mtime') ?? 0
  const nanoseconds = options.number('mtime-nsecs') ?? 0
  if (seconds === 0 && nanoseconds !== 0) {
    throw bad('option "mtime-nsecs" requires "mtime" to be provided as well')
  }
  return {
    ...(mode === 0 ? {} : { mode: mode & 0o7777 }),
    ...(seconds === 0 ? {} : { mtime: { seconds, nanoseconds } }),
  }
}

function readChunkSize(chunker: string): number {
  const size = /^size-(.*)$/.exec(chunker)?.[1]
  if (size === undefined) {
    if (/^(rabin|buzhash)/.test(chunker)) {
      throw bad(`chunker ${chunker} is not offered by this node: use size-N`)
    }
    throw bad(`unrecognized chunker option: ${chunker}`)
  }
  if (!/^[+-]?\d+$/.test(size)) throw bad(`strconv.Atoi: parsing ${JSON.stringify(size)}: invalid syntax`)
  const bytes = Number(size)
  if (bytes <= 0) throw bad('chunker size must be greater than 0')
  if (bytes > maxChunk) throw bad(`chunker parameters may not exceed the maximum chunk size of ${maxChunk}`)
  return bytes
}

const bad = (message: string) => new IpfsError('ERR_INPUT', message)
