import type { CID } from 'multiformats/cid'
import { rawCodec } from './cid.ts'
import { fileNode } from './dag-pb.ts'

/** The content under a CID, put together from its blocks, which are raw or dag-pb; `block` gives them checked. */
export async function rebuild(
  cid: CID,
  block: (cid: CID) => Promise<Uint8Array> | Uint8Array,
): Promise<Uint8Array> {
  const bytes = await block(cid)
  if (cid.code === rawCodec) return bytes
  const { data, links } = fileNode(bytes)
  const parts = [data]
  for (const link of links) parts.push(await rebuild(link, block))
  return Buffer.concat(parts)
}
