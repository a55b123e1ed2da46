/** The directories that an upload makes of the paths of its files. */
import { codecs } from '../dag/cid.ts'
import { encodeNode } from '../dag/dag-pb.ts'
import { type Attributes, encodeDirectory } from '../dag/unixfs.ts'
import { IpfsError } from '../errors.ts'
import { type BlockSink, type Prefix, seal } from './prefix.ts'

export interface TreeEntry {
  readonly cid: Uint8Array
  /** Bytes of all blocks below and including it. */
  readonly size: number
}

export interface SealedDirectory extends TreeEntry {
  /** Relative to the top, '' for the top itself. */
  readonly path: string
}

export class Directory {
  readonly #children = new Map<string, Directory | TreeEntry>()
  attributes: Attributes

  /** `attributes` are also those of directories that are made below, unless they are told others. */
  constructor(attributes: Attributes = {}) {
    this.attributes = attributes
  }

  /** The directory at `names` below this one, made if absent. */
  directory(names: readonly string[]): Directory {
    const [first, ...rest] = names
    if (first === undefined) return this
    const child = this.#children.get(first) ?? new Directory(this.attributes)
    if (!(child instanceof Directory)) throw new IpfsError('ERR_INPUT', `${first} was not a directory`)
    this.#children.set(first, child)
    return child.directory(rest)
  }

  put(name: string, entry: TreeEntry): void {
    if (this.#children.has(name)) {
      throw new IpfsError('ERR_INPUT', 'directory already has entry by that name')
    }
    this.#children.set(name, entry)
  }

  /** Writes the blocks of this directory and all below it, and returns them, children before their parent. */
  seal(sink: BlockSink, prefix: Prefix, path = ''): SealedDirectory[] {
    const sealed: SealedDirectory[] = []
    const links = [...this.#children]
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([name, child]) => {
        if (!(child instanceof Directory)) return { name, cid: child.cid, size: child.size }
        const below = child.seal(sink, prefix, path === '' ? name : `${path}/${name}`)
        sealed.push(...below)
        const top = below.at(-1)
        if (!top) throw new Error('a sealed directory has at least itself')
        return { name, cid: top.cid, size: top.size }
      })
    const block = encodeNode({ links, data: encodeDirectory(this.attributes) })
    const cid = seal(sink, prefix, codecs.dagPb, [block], block.length)
    return [...sealed, { path, cid, size: links.reduce((sum, { size }) => sum + size, block.length) }]
  }
}
