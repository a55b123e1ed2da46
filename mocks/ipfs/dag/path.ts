/** Content paths: `/ipfs/<cid>/a/b`, and the node that one names. https://specs.ipfs.tech/architecture/principles/ */
import { IpfsError, isIpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import { type CID, codecs, formatCid, parseCid } from './cid.ts'
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
  if (first !== '' || !namespace || !root) {
    throw bad('path does not have enough components')
  }
  if (namespace !== 'ipfs' && namespace !== 'ipld') {
    throw bad(
      namespace === 'ipns'
        ? 'names are not offered by this node'
        : `unknown namespace: ${JSON.stringify(namespace)}`,
    )
  }
  try {
    return { root: parseCid(root), segments: segments.filter((segment) => segment !== '') }
  } catch (error) {
    throw isIpfsError(error) ? bad(error.message) : error
  }
}

/** Reads a path as RPC arguments may spell it: also a bare CID, also without `/ipfs/`. Throws ERR_BAD_PATH. */
export function parseArgument(text: string): ContentPath {
  try {
    return parsePath(text)
  } catch (error) {
    try {
      return parsePath(`/ipfs/${text}`)
    } catch {
      throw error
    }
  }
}

export interface Resolved {
  readonly node: Node
  /** The CIDs passed through, from the root of the path to the node. */
  readonly roots: readonly CID[]
}

/** Walks down a path. Throws ERR_BLOCK_MISSING, ERR_NO_LINK and ERR_NOT_A_DIRECTORY. */
export async function resolve(repo: Repo, { root, segments }: ContentPath): Promise<Resolved> {
  const roots = [root]
  let node = await readNode(repo, root)
  for (const name of segments) {
    const next = await child(repo, node, name)
    node = await readNode(repo, next)
    roots.push(next)
  }
  return { node, roots }
}

/** The CID of what `name` is called in `node`. */
async function child(_repo: Repo, node: Node, name: string): Promise<CID> {
  if (node.cid.code === codecs.dagPb && isDirectory(node)) {
    const link = node.links.find((each) => each.name === name)
    if (link) return cidOf(link)
    throw noLink(name, node.cid)
  }
  throw new IpfsError(
    'ERR_NOT_A_DIRECTORY',
    'func called on wrong kind: "LookupBySegment" called on a bytes node (kind: bytes), but only makes sense on map',
  )
}

const noLink = (name: string, cid: CID) =>
  new IpfsError('ERR_NO_LINK', `no link named ${JSON.stringify(name)} under ${formatCid(cid)}`)
