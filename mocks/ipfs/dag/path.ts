/** Content paths: `/ipfs/<cid>/a/b`, and the node that one names. https://specs.ipfs.tech/architecture/principles/ */
import { IpfsError, isIpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import { DataMap, type DataValue } from './cbor.ts'
import { CID, codecs, formatCid, parseCid } from './cid.ts'
import { decodeData, isDataCodec } from './data.ts'
import { findEntry } from './directory.ts'
import { cidOf, isDirectory, type Node, readNode } from './node.ts'

export interface ContentPath {
  readonly root: CID
  readonly segments: readonly string[]
}

/** Reads `/ipfs/<cid>[/path]`. Throws ERR_BAD_PATH. */
export function parsePath(text: string): ContentPath {
  const bad = (reason: string) =>
    new IpfsError('ERR_BAD_PATH', `invalid path ${JSON.stringify(text)}: ${reason}`)
  const [first, namespace, root, ...segments] = text.split('/')
  if (first !== '' || !namespace || !root) throw bad('path does not have enough components')
  if (namespace === 'ipns') throw bad('names are not offered by this node')
  if (namespace !== 'ipfs' && namespace !== 'ipld')
    throw bad(`unknown namespace: ${JSON.stringify(namespace)}`)
  try {
    return { root: parseCid(root), segments: segments.filter((segment) => segment !== '') }
  } catch (error) {
    throw isIpfsError(error) ? bad(error.message) : error
  }
}

/** Reads a path as RPC arguments may spell it: also a bare CID, also without `/ipfs/`. Throws ERR_BAD_PATH. */
export function parseArgument(text: string): ContentPath {
  if (text.startsWith('/')) return parsePath(text)
  try {
    return parsePath(`/ipfs/${text}`)
  } catch {
    return parsePath(text)
  }
}

export interface Resolved {
  readonly node: Node
  /** The CIDs of the segments of the path, from its root to the node. */
  readonly roots: readonly CID[]
  /** Segments that lead into the node's own data and to no further block. */
  readonly remainder: readonly string[]
}

/** Gets every block that is read on the way, also shards that are no segment of the path. */
export type Passed = (cid: CID) => void

/** Walks down a path. Throws ERR_BLOCK_MISSING, ERR_NO_LINK and ERR_NOT_A_DIRECTORY. */
export async function resolve(
  repo: Repo,
  { root, segments }: ContentPath,
  passed: Passed = () => {},
): Promise<Resolved> {
  const roots = [root]
  let node = await readNode(repo, root)
  let rest = segments
  for (passed(root); rest.length > 0; ) {
    const step = await down(repo, node, rest, passed)
    if (step.next === undefined) return { node, roots, remainder: rest }
    node = await readNode(repo, step.next)
    passed(step.next)
    roots.push(step.next)
    rest = step.rest
  }
  return { node, roots, remainder: [] }
}

/** The CID that a path ends in. A bare CID is not read: its block need not be here. */
export async function resolveCid(repo: Repo, path: ContentPath): Promise<CID> {
  return path.segments.length === 0 ? path.root : (await resolve(repo, path)).node.cid
}

interface Step {
  /** The next block; undefined when the segments end within this one. */
  readonly next: CID | undefined
  readonly rest: readonly string[]
}

async function down(repo: Repo, node: Node, segments: readonly string[], passed: Passed): Promise<Step> {
  const [name = '', ...rest] = segments
  if (isDataCodec(node.cid.code)) return downData(node.cid, decodeData(node.cid.code, node.block), segments)
  if (node.cid.code !== codecs.dagPb || !isDirectory(node)) {
    throw node.links.length > 0
      ? wrongKind('', 'INVALID node', '<empty KindSet>')
      : notBelow('data.Bytes', 'bytes')
  }
  const link = await findEntry(repo, node, name, passed)
  if (!link) throw noLink(name, node.cid)
  return { next: cidOf(link), rest }
}

/** Walks through maps and lists to the first link. */
function downData(cid: CID, value: DataValue, segments: readonly string[]): Step {
  let at: DataValue | undefined = value
  for (const [index, name] of segments.entries()) {
    if (at instanceof CID) return { next: at, rest: segments.slice(index) }
    if (at instanceof DataMap) at = at.get(name)
    else if (Array.isArray(at)) at = at[Number(name)]
    else throw notBelow(typeof at, typeof at)
    if (at === undefined) throw noLink(name, cid)
  }
  return at instanceof CID ? { next: at, rest: [] } : { next: undefined, rest: segments }
}

const notBelow = (type: string, kind: string) =>
  wrongKind('LookupBySegment', `${type} node (kind: ${kind})`, 'map or list')

const wrongKind = (call: string, found: string, wanted: string) =>
  new IpfsError(
    'ERR_NOT_A_DIRECTORY',
    `func called on wrong kind: "${call}" called on a ${found}, but only makes sense on ${wanted}`,
  )

const noLink = (name: string, cid: CID) =>
  new IpfsError('ERR_NO_LINK', `no link named ${JSON.stringify(name)} under ${formatCid(cid)}`)
