/** All that a DAG reaches, each block once. */
import type { Repo } from '../store/repo.ts'
import { type BlockKey, blockKey, CID, codecs, inlineContent } from './cid.ts'
import { decodeNode, isLeafHead, leafHeadLength } from './dag-pb.ts'
import { decodeData, isDataCodec, linksIn } from './data.ts'
import { missing } from './node.ts'

/** The CIDs that a block links to, in their order. */
function linksOf(cid: CID, block: Uint8Array): CID[] {
  if (cid.code === codecs.dagPb) return decodeNode(block).links.map((link) => CID.decode(link.cid))
  return isDataCodec(cid.code) ? linksIn(decodeData(cid.code, block)) : []
}

/** Walks a DAG depth first, parents before children. Throws ERR_BLOCK_MISSING at a block that is not here. */
export async function* walk(repo: Repo, root: CID, seen = new Set<BlockKey>()): AsyncGenerator<CID> {
  const waiting = [root]
  for (let cid = waiting.pop(); cid; cid = waiting.pop()) {
    const key = blockKey(cid)
    if (seen.has(key)) continue
    seen.add(key)
    const links = await children(repo, cid)
    yield cid
    for (const link of links.reverse()) waiting.push(link)
  }
}

/** The links of a block; of a leaf only as much is read as shows that it is one. */
export async function children(repo: Repo, cid: CID): Promise<CID[]> {
  const inline = inlineContent(cid)
  if (inline) return linksOf(cid, inline)
  const key = blockKey(cid)
  const size = repo.size(key)
  if (size === undefined) throw missing(cid)
  if (cid.code === codecs.raw) return []
  if (cid.code === codecs.dagPb) {
    const head = await repo.read(key, 0, leafHeadLength)
    if (head && isLeafHead(head, size)) return []
  }
  const block = await repo.read(key)
  if (!block) throw missing(cid)
  return linksOf(cid, block)
}
