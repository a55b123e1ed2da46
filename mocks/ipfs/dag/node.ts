/** One node of a DAG as it is read: its block, what it links to, and what it means in UnixFS. */
import { IpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import { blockKey, CID, codecs, formatCid, inlineContent } from './cid.ts'
import { decodeNode, type PbLink } from './dag-pb.ts'
import { decodeEntry, type Entry } from './unixfs.ts'

export interface Node {
  readonly cid: CID
  readonly block: Uint8Array
  /** Links of a dag-pb node, in their order. */
  readonly links: readonly PbLink[]
  /** What the node is in UnixFS. A raw block is a file; other codecs have no such meaning. */
  readonly entry?: Entry
}

export const missing = (cid: CID): IpfsError =>
  new IpfsError(
    'ERR_BLOCK_MISSING',
    `block was not found locally (offline): ipld: could not find ${formatCid(cid)}`,
  )

/** The bytes of a block. Throws ERR_BLOCK_MISSING. */
export function readBlock(repo: Repo, cid: CID): Uint8Array | Promise<Uint8Array> {
  const block = inlineContent(cid) ?? repo.read(blockKey(cid))
  if (!block) throw missing(cid)
  return block
}

/** Bytes of a block. Throws ERR_BLOCK_MISSING. */
export function blockSize(repo: Repo, cid: CID): number {
  const size = inlineContent(cid)?.length ?? repo.size(blockKey(cid))
  if (size === undefined) throw missing(cid)
  return size
}

/** Reads and decodes one node. Throws ERR_BLOCK_MISSING and ERR_MALFORMED_BLOCK. */
export async function readNode(repo: Repo, cid: CID): Promise<Node> {
  return decode(cid, await readBlock(repo, cid))
}

export function decode(cid: CID, block: Uint8Array): Node {
  if (cid.code === codecs.raw) {
    return {
      cid,
      block,
      links: [],
      entry: { type: 'file', data: block, fileSize: block.length, blockSizes: [] },
    }
  }
  if (cid.code !== codecs.dagPb) return { cid, block, links: [] }
  const { links, data } = decodeNode(block)
  return { cid, block, links, entry: decodeEntry(data) }
}

export const cidOf = (link: PbLink): CID => CID.decode(link.cid)

export const isDirectory = ({ entry }: Node): boolean =>
  entry?.type === 'directory' || entry?.type === 'hamt-shard'

export const isFile = ({ entry }: Node): boolean => entry?.type === 'file' || entry?.type === 'raw'
