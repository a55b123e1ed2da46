/** Which pin protects a block. */
import { blockKey, type CID, parseCid } from './dag/cid.ts'
import { walk } from './dag/walk.ts'
import { isIpfsError } from './errors.ts'
import type { Repo } from './store/repo.ts'

export type Protection =
  | { readonly mode: 'recursive' | 'direct' }
  | { readonly mode: 'indirect'; readonly through: CID }

/** The pin of the CID itself, or else a recursive pin above it. */
export async function protection(repo: Repo, cid: CID): Promise<Protection | undefined> {
  const pin = repo.pins.get(cid.toString())
  if (pin) return { mode: pin.mode }
  const through = await rootAbove(repo, cid)
  return through && { mode: 'indirect', through }
}

/** A recursive pin that reaches the block. */
export async function rootAbove(repo: Repo, wanted: CID): Promise<CID | undefined> {
  const key = blockKey(wanted)
  for (const [text, { mode }] of repo.pins) {
    const root = parseCid(text)
    if (mode === 'recursive' && (await reaches(repo, root, key))) return root
  }
  return undefined
}

async function reaches(repo: Repo, root: CID, wanted: string): Promise<boolean> {
  try {
    for await (const cid of walk(repo, root)) if (blockKey(cid) === wanted && !cid.equals(root)) return true
  } catch (error) {
    // What lies behind a hole in a DAG cannot be judged.
    if (!isIpfsError(error, 'ERR_BLOCK_MISSING')) throw error
  }
  return false
}
