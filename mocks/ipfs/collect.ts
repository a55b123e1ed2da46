/** Garbage collection: sweeps every block that no pin and no upload under way protects. */
import { type BlockKey, blockKey, type CID, inlineContent, parseCid } from './dag/cid.ts'
import { children } from './dag/walk.ts'
import type { Location, Repo } from './store/repo.ts'

/** Removes what nothing protects and returns the keys of what went. The caller holds the collection lock. */
export async function collect(repo: Repo): Promise<BlockKey[]> {
  const { epoch } = repo
  const kept = await protectedKeys(repo)
  repo.check(epoch)
  for (const key of repo.pending()) kept.add(key)
  const gone = [...repo.keys()].filter((key) => !kept.has(key))
  repo.drop(gone)
  await compact(repo)
  return gone
}

/** The blocks under all pins: of a recursive pin the whole DAG, of a direct one its root. */
async function protectedKeys(repo: Repo): Promise<Set<BlockKey>> {
  const kept = new Set<BlockKey>()
  for (const [text, { mode }] of repo.pins) {
    const cid = parseCid(text)
    if (mode === 'direct') kept.add(blockKey(cid))
    else await keepAll(repo, cid, kept)
  }
  return kept
}

/** Marks what is here of a DAG: a hole in it does not uncover the rest. */
async function keepAll(repo: Repo, root: CID, kept: Set<BlockKey>): Promise<void> {
  const waiting = [root]
  for (let cid = waiting.pop(); cid; cid = waiting.pop()) {
    const key = blockKey(cid)
    if (kept.has(key)) continue
    kept.add(key)
    if (!inlineContent(cid) && !repo.has(key)) continue
    waiting.push(...(await children(repo, cid)))
  }
}

/** Copies what still counts out of segments that are mostly dead, so that these can be removed. */
async function compact(repo: Repo): Promise<void> {
  const { epoch } = repo
  for (const keys of repo.sparse().values()) {
    const target = repo.newSegment()
    const moved = new Map<BlockKey, Location>()
    for (const key of keys) {
      const block = await repo.read(key)
      if (!block) continue
      moved.set(key, {
        segment: target,
        offset: await target.append([block], block.length),
        length: block.length,
      })
    }
    repo.check(epoch)
    repo.relocate(moved)
  }
}
