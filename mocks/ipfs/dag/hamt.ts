/** Directories that are too large for one block: shards by the hash of the name. https://specs.ipfs.tech/unixfs/#dag-pb-hamtdirectory */
import { IpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import type { CID } from './cid.ts'
import type { PbLink } from './dag-pb.ts'
import { murmur3 } from './murmur3.ts'
import { cidOf, type Node, readNode } from './node.ts'

/** Hexadecimal digits that a link of a shard begins with: the number of its slot. */
function slotDigits({ entry }: Node): number {
  const fanout = entry?.fanout ?? 256
  if (fanout > 1024 || fanout < 8 || (fanout & (fanout - 1)) !== 0) {
    throw new IpfsError('ERR_MALFORMED_BLOCK', 'hamt size should be a power of two between 8 and 1024')
  }
  return (fanout - 1).toString(16).length
}

/** Finds a name. `passed` gets the shards below the first on the way. */
export async function lookUp(
  repo: Repo,
  root: Node,
  name: string,
  passed: (shard: CID) => void = () => {},
): Promise<PbLink | undefined> {
  const hash = BigInt(`0x${Buffer.from(murmur3(Buffer.from(name))).toString('hex')}`)
  let shard = root
  for (let used = 0; used < 64; ) {
    const digits = slotDigits(shard)
    const bits = Math.log2(shard.entry?.fanout ?? 256)
    const slot = Number((hash >> BigInt(64 - used - bits)) & BigInt(2 ** bits - 1))
    used += bits
    const prefix = slot.toString(16).toUpperCase().padStart(digits, '0')
    const link = shard.links.find((each) => each.name.startsWith(prefix))
    if (!link) return undefined
    if (link.name.length > digits) return link.name.slice(digits) === name ? { ...link, name } : undefined
    const cid = cidOf(link)
    passed(cid)
    shard = await readNode(repo, cid)
  }
  return undefined
}

/** All entries under their own names, in the order of the shards. `passed` gets the shards below the first. */
export async function* entries(
  repo: Repo,
  shard: Node,
  passed: (shard: CID) => void = () => {},
): AsyncGenerator<PbLink> {
  const digits = slotDigits(shard)
  for (const link of shard.links) {
    if (link.name.length > digits) yield { ...link, name: link.name.slice(digits) }
    else {
      const cid = cidOf(link)
      passed(cid)
      yield* entries(repo, await readNode(repo, cid), passed)
    }
  }
}
