/** What a UnixFS directory holds, in one block or in shards. */
import type { Repo } from '../store/repo.ts'
import type { CID } from './cid.ts'
import type { PbLink } from './dag-pb.ts'
import { entries, lookUp } from './hamt.ts'
import type { Node } from './node.ts'

/** The entry called `name`. `passed` gets the CIDs of further blocks that were read to find it. */
export async function findEntry(
  repo: Repo,
  directory: Node,
  name: string,
  passed?: (block: CID) => void,
): Promise<PbLink | undefined> {
  if (directory.entry?.type === 'hamt-shard') return lookUp(repo, directory, name, passed)
  return directory.links.find((link) => link.name === name)
}

/** All entries. A sharded directory is read shard by shard. */
export async function* listEntries(
  repo: Repo,
  directory: Node,
  passed?: (block: CID) => void,
): AsyncGenerator<PbLink> {
  if (directory.entry?.type === 'hamt-shard') yield* entries(repo, directory, passed)
  else yield* directory.links
}
