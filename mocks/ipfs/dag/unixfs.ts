/** UnixFS: what the data of a dag-pb node means. https://specs.ipfs.tech/unixfs/ */
import { IpfsError } from '../errors.ts'
import { MessageWriter, readFields } from './protobuf.ts'

export type EntryType = 'raw' | 'directory' | 'file' | 'metadata' | 'symlink' | 'hamt-shard'

const entryTypes: readonly EntryType[] = ['raw', 'directory', 'file', 'metadata', 'symlink', 'hamt-shard']

/** Seconds since the epoch, and the fraction in nanoseconds. */
export interface Mtime {
  readonly seconds: number
  readonly nanoseconds: number
}

export interface Attributes {
  /** Permission bits, below 0o10000. */
  readonly mode?: number
  readonly mtime?: Mtime
}

export interface Entry extends Attributes {
  readonly type: EntryType
  readonly data: Uint8Array
  readonly fileSize: number
  /** Content bytes below each link, in the order of the links. */
  readonly blockSizes: readonly number[]
  readonly hashType?: number
  readonly fanout?: number
}

const none = new Uint8Array(0)

/** The attributes as they follow the other fields of a UnixFS message. */
function writeAttributes(writer: MessageWriter, { mode, mtime }: Attributes): MessageWriter {
  if (mode) writer.number(7, mode)
  if (mtime) {
    const time = new MessageWriter().int64(1, mtime.seconds)
    if (mtime.nanoseconds > 0) time.fixed32(2, mtime.nanoseconds)
    writer.bytes(8, time.finish())
  }
  return writer
}

/** A file node above other nodes. */
export function encodeFile(blockSizes: readonly number[], attributes: Attributes): Uint8Array {
  const writer = new MessageWriter().number(1, 2).number(
    3,
    blockSizes.reduce((sum, size) => sum + size, 0),
  )
  for (const size of blockSizes) writer.number(4, size)
  return writeAttributes(writer, attributes).finish()
}

/** A file node with its content inside. */
export function encodeSmallFile(content: Uint8Array, attributes: Attributes): Uint8Array {
  const writer = new MessageWriter().number(1, 2)
  if (content.length > 0) writer.bytes(2, content)
  return writeAttributes(writer.number(3, content.length), attributes).finish()
}

export function encodeDirectory(attributes: Attributes = {}): Uint8Array {
  return writeAttributes(new MessageWriter().number(1, 1), attributes).finish()
}

export function encodeSymlink(target: string, attributes: Attributes = {}): Uint8Array {
  return writeAttributes(new MessageWriter().number(1, 4).bytes(2, Buffer.from(target)), attributes).finish()
}

/** Reads the data of a node. Throws ERR_MALFORMED_BLOCK when it is not UnixFS. */
export function decodeEntry(message: Uint8Array): Entry {
  let type: EntryType | undefined
  let data: Uint8Array = none
  const numbers = new Map<number, number>()
  const blockSizes: number[] = []
  let mtime: Mtime | undefined
  for (const field of readFields(message)) {
    if (field.number === 1) type = entryTypes[field.value]
    else if (field.number === 2) data = field.bytes
    else if (field.number === 4) blockSizes.push(field.value)
    else if (field.number === 8) mtime = decodeMtime(field.bytes)
    else numbers.set(field.number, field.value)
  }
  if (!type) throw new IpfsError('ERR_MALFORMED_BLOCK', 'proto: required field "Type" not set')
  const mode = numbers.get(7)
  const hashType = numbers.get(5)
  const fanout = numbers.get(6)
  return {
    type,
    data,
    blockSizes,
    fileSize: numbers.get(3) ?? data.length,
    ...(hashType === undefined ? {} : { hashType }),
    ...(fanout === undefined ? {} : { fanout }),
    ...(mode === undefined ? {} : { mode }),
    ...(mtime === undefined ? {} : { mtime }),
  }
}

function decodeMtime(message: Uint8Array): Mtime {
  let seconds = 0
  let nanoseconds = 0
  for (const field of readFields(message)) {
    if (field.number === 1) seconds = field.value
    else if (field.number === 2) nanoseconds = field.value
  }
  return { seconds, nanoseconds }
}
