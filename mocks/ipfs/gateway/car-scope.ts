/** Which blocks a CAR of a path holds. https://specs.ipfs.tech/http-gateways/trustless-gateway/#car-responses-application-vnd-ipld-car */
import type { CID } from '../dag/cid.ts'
import { listEntries } from '../dag/directory.ts'
import { contentSize } from '../dag/file.ts'
import { cidOf, type Node, readNode } from '../dag/node.ts'
import { children } from '../dag/walk.ts'
import type { Repo } from '../store/repo.ts'

export interface EntityRange {
  /** Negative: counts from the end. */
  readonly from: number
  /** Included; undefined: up to the end. Negative: counts from the end. */
  readonly to: number | undefined
}

export interface CarScope {
  readonly scope: 'block' | 'entity' | 'all'
  readonly range: EntityRange | undefined
}

/** The CIDs below the last node of a path, that node first. */
export async function* blocksOf(
  repo: Repo,
  cid: CID,
  remainder: readonly string[],
  { scope, range }: CarScope,
  once: boolean,
): AsyncGenerator<CID> {
  if (scope === 'all') {
    yield* everything(repo, cid, once ? new Set() : undefined)
    return
  }
  yield cid
  if (scope === 'block' || remainder.length > 0) return
  const node = await readNode(repo, cid)
  if (node.entry?.type === 'hamt-shard') yield* shards(repo, node)
  else if (node.entry?.type === 'file') yield* part(repo, node, range)
}

async function* everything(repo: Repo, cid: CID, seen: Set<string> | undefined): AsyncGenerator<CID> {
  const key = cid.toString()
  if (seen?.has(key)) return
  seen?.add(key)
  yield cid
  for (const child of await children(repo, cid)) yield* everything(repo, child, seen)
}

async function* shards(repo: Repo, node: Node): AsyncGenerator<CID> {
  const passed: CID[] = []
  for await (const _ of listEntries(repo, node, (cid) => passed.push(cid))) yield* passed.splice(0)
  yield* passed
}

async function* part(repo: Repo, node: Node, range: EntityRange | undefined): AsyncGenerator<CID> {
  const size = contentSize(node)
  const fromEnd = (position: number) => (position < 0 ? Math.max(0, size + position) : position)
  const start = range ? fromEnd(range.from) : 0
  const end = range?.to === undefined ? size : Math.min(size, fromEnd(range.to) + 1)
  if (start < end) yield* overlapping(repo, node, start, end)
}

/** The nodes whose content overlaps `start` to `end`, parents before children. */
async function* overlapping(repo: Repo, node: Node, start: number, end: number): AsyncGenerator<CID> {
  let offset = node.entry?.data.length ?? 0
  for (const [index, link] of node.links.entries()) {
    const size = node.entry?.blockSizes[index] ?? 0
    if (offset < end && offset + size > start) {
      const cid = cidOf(link)
      yield cid
      const child = await readNode(repo, cid)
      if (child.links.length > 0) yield* overlapping(repo, child, Math.max(0, start - offset), end - offset)
    }
    offset += size
  }
}
