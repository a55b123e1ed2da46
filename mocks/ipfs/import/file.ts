/**
 * A file becomes a balanced DAG while it streams: fixed chunks, leaves, and nodes of at most `maxLinks` links above
 * them. Memory holds one chunk and one unfinished node per level.
 */
import { codecs } from '../dag/cid.ts'
import { encodeNode, type PbLink } from '../dag/dag-pb.ts'
import { type Attributes, encodeFile, encodeSmallFile } from '../dag/unixfs.ts'
import { varintLength, writeVarint } from '../varint.ts'
import { type BlockSink, type Prefix, seal } from './prefix.ts'

export interface FileLayout {
  readonly prefix: Prefix
  readonly rawLeaves: boolean
  /** Bytes of content in a leaf. */
  readonly chunkSize: number
  /** Links in a node above leaves. */
  readonly maxLinks: number
}

export interface ImportedFile {
  /** Bytes of the root's CID. */
  readonly cid: Uint8Array
  /** Bytes of all blocks, a repeated one counted each time: what Kubo calls Size. */
  readonly size: number
  /** Bytes of content. */
  readonly fileSize: number
}

export class FileImport {
  readonly #sink: BlockSink
  readonly #layout: FileLayout
  readonly #attributes: Attributes
  /** Unfinished nodes, the lowest first: what their links will be. */
  readonly #levels: ImportedFile[][] = []
  #pieces: Uint8Array[] = []
  #length = 0

  constructor(sink: BlockSink, layout: FileLayout, attributes: Attributes = {}) {
    this.#sink = sink
    this.#layout = layout
    this.#attributes = attributes
  }

  /** Takes the next bytes. Nobody may change them afterwards: they are written later, without a copy. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#length === this.#layout.chunkSize) this.#add(0, this.#leaf({}))
      const end = Math.min(bytes.length, at + this.#layout.chunkSize - this.#length)
      this.#pieces.push(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
      this.#length += end - at
      at = end
    }
  }

  /** Ends the file and returns its root. */
  finish(): ImportedFile {
    if (this.#levels.length === 0) return this.#leaf(this.#attributes)
    this.#add(0, this.#leaf({}))
    let level = 0
    for (; level < this.#levels.length - 1; level++) this.#add(level + 1, this.#node(this.#at(level), {}))
    return this.#node(this.#at(level), this.#attributes)
  }

  #add(level: number, child: ImportedFile): void {
    const links = this.#at(level)
    // A full node closes only when something follows it: if nothing does, it is the root.
    if (links.length === this.#layout.maxLinks) {
      this.#levels[level] = [child]
      this.#add(level + 1, this.#node(links, {}))
    } else links.push(child)
  }

  #at(level: number): ImportedFile[] {
    this.#levels[level] ??= []
    return this.#levels[level] ?? []
  }

  #leaf(attributes: Attributes): ImportedFile {
    const pieces = this.#pieces
    const fileSize = this.#length
    this.#pieces = []
    this.#length = 0
    const { prefix, rawLeaves } = this.#layout
    if (rawLeaves) {
      return { cid: seal(this.#sink, prefix, codecs.raw, pieces, fileSize), size: fileSize, fileSize }
    }
    const block =
      attributes.mode || attributes.mtime
        ? [encodeNode({ links: [], data: encodeSmallFile(Buffer.concat(pieces), attributes) })]
        : frameLeaf(pieces, fileSize)
    const size = block.reduce((sum, piece) => sum + piece.length, 0)
    return { cid: seal(this.#sink, prefix, codecs.dagPb, block, size), size, fileSize }
  }

  #node(children: readonly ImportedFile[], attributes: Attributes): ImportedFile {
    const links = children.map(({ cid, size }): PbLink => ({ cid, name: '', size }))
    const data = encodeFile(
      children.map(({ fileSize }) => fileSize),
      attributes,
    )
    const block = encodeNode({ links, data })
    return {
      cid: seal(this.#sink, this.#layout.prefix, codecs.dagPb, [block], block.length),
      size: children.reduce((sum, { size }) => sum + size, block.length),
      fileSize: children.reduce((sum, { fileSize }) => sum + fileSize, 0),
    }
  }
}

/** The dag-pb leaf around content that is not copied: `0a len 08 02 [12 len content] 18 len`. */
function frameLeaf(content: readonly Uint8Array[], length: number): Uint8Array[] {
  const lengthBytes = varintLength(length)
  const inner = 3 + lengthBytes + (length > 0 ? 1 + lengthBytes + length : 0)
  const head = new Uint8Array(1 + varintLength(inner) + 2 + (length > 0 ? 1 + lengthBytes : 0))
  head[0] = 0x0a
  let at = writeVarint(head, 1, inner)
  head[at++] = 0x08
  head[at++] = 2
  if (length > 0) {
    head[at++] = 0x12
    writeVarint(head, at, length)
  }
  const tail = new Uint8Array(1 + lengthBytes)
  tail[0] = 0x18
  writeVarint(tail, 1, length)
  return [head, ...content, tail]
}
