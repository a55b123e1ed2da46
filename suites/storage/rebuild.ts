import type { CID } from 'multiformats/cid'
import { expectThat } from '../../harness/finding.ts'
import { dagPbCodec, rawCodec } from './cid.ts'
import { fileNode } from './dag-pb.ts'

/** The content under a CID, put together from its blocks; `block` gives them checked. */
export async function rebuild(
  cid: CID,
  block: (cid: CID) => Promise<Uint8Array> | Uint8Array,
): Promise<Uint8Array> {
  const known = cid.code === rawCodec || cid.code === dagPbCodec
  expectThat(known, 'content of raw and dag-pb blocks', `codec ${cid.code} in ${cid}`)
  const bytes = await block(cid)
  if (cid.code === rawCodec) return bytes
  const { data, links } = fileNode(bytes)
  const parts = [data]
  for (const link of links) parts.push(await rebuild(link, block))
  return Buffer.concat(parts)
}
