/** The content of a UnixFS file, whole or in part, read leaf by leaf. */
import { IpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import { type CID, codecs, keyOfCidBytes } from './cid.ts'
import { decodeNode, type PbLink } from './dag-pb.ts'
import { blockSize, cidOf, decode, type Node, readBlock, readNode } from './node.ts'
import { decodeEntry } from './unixfs.ts'

/** Bytes of content of a file node. */
export const contentSize = ({ entry }: Node): number =>
  entry === undefined ? 0 : entry.type === 'symlink' ? entry.data.length : entry.fileSize

/** Bytes `start` to `end` of a file. Throws ERR_DAG_INCOMPLETE at the first leaf that is not here. */
export async function* readContent(
  repo: Repo,
  node: Node,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  if (start >= end || !node.entry) return
  const { data, blockSizes } = node.entry
  if (start < data.length) yield data.subarray(start, Math.min(end, data.length))
  let offset = data.length
  for (const [index, link] of node.links.entries()) {
    const size = blockSizes[index] ?? 0
    const from = Math.max(start - offset, 0)
    const to = Math.min(end - offset, size)
    offset += size
    if (from < to) yield* readLink(repo, link, from, to)
    if (offset >= end) return
  }
}

async function* readLink(repo: Repo, link: PbLink, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (isRaw(link.cid)) {
    yield await (repo.read(keyOfCidBytes(link.cid), start, end) ?? incomplete())
    return
  }
  const cid = cidOf(link)
  if (cid.code === codecs.dagPb) {
    const block = await (repo.read(keyOfCidBytes(link.cid)) ?? readInline(repo, cid))
    const { links, data } = decodeNode(block)
    yield* readContent(repo, { cid, block, links, entry: decodeEntry(data) }, start, end)
    return
  }
  yield* readContent(repo, decode(cid, await readInline(repo, cid)), start, end)
}

function readInline(repo: Repo, cid: CID): Uint8Array | Promise<Uint8Array> {
  try {
    return readBlock(repo, cid)
  } catch (cause) {
    throw incomplete(cause)
  }
}

/** CIDv1, raw codec, and not the identity hash: its block is content and nothing else. */
const isRaw = (cid: Uint8Array) => cid[0] === 1 && cid[1] === codecs.raw && cid[2] !== 0

function incomplete(cause?: unknown): never {
  throw new IpfsError('ERR_DAG_INCOMPLETE', 'failed to fetch all nodes', { cause })
}

/** Bytes of all blocks of a DAG as its root states it, a block that is linked twice counted twice. */
export function cumulativeSize(node: Node): number {
  return node.block.length + node.links.reduce((sum, { size }) => sum + size, 0)
}

/** Size and type of what a directory lists, without reading more of it than its root. */
export async function describe(repo: Repo, cid: CID): Promise<Node> {
  if (cid.code !== codecs.raw) return readNode(repo, cid)
  const size = blockSize(repo, cid)
  const entry = { type: 'file', data: new Uint8Array(0), fileSize: size, blockSizes: [] } as const
  return { cid, block: new Uint8Array(0), links: [], entry }
}
