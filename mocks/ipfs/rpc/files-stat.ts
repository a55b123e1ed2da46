/** `files/stat` of immutable paths, and of `/`, which is empty: this node has no mutable files. */

import { parseCid } from '../dag/cid.ts'
import { contentSize, cumulativeSize } from '../dag/file.ts'
import { blockSize, isDirectory, type Node, readNode } from '../dag/node.ts'
import { parsePath, resolve } from '../dag/path.ts'
import { walk } from '../dag/walk.ts'
import { IpfsError, isIpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import { type Command, onePath, value } from './call.ts'

const emptyDirectory = parseCid('QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn')

export const filesStat: Command = {
  path: 'files/stat',
  args: onePath('path'),
  options: { format: 'string', hash: 'bool', size: 'bool', 'with-local': 'bool' },
  async run({ node: { repo }, args: [path = ''], options, format }) {
    const node = await find(repo, path)
    const { mode, mtime, type } = node.entry ?? {}
    return value({
      Hash: format(node.cid),
      Size: isDirectory(node) ? 0 : contentSize(node),
      CumulativeSize: cumulativeSize(node),
      Blocks: node.links.length,
      Type: isDirectory(node) ? 'directory' : 'file',
      ...(options.flag('with-local', false) ? await locality(repo, node) : {}),
      ...(type === 'symlink' ? { Mode: '1000000777' } : mode ? { Mode: `0${mode.toString(8)}` } : {}),
      ...(mtime ? { Mtime: mtime.seconds } : {}),
      ...(mtime?.nanoseconds ? { MtimeNsecs: mtime.nanoseconds } : {}),
    })
  },
}

async function find(repo: Repo, path: string): Promise<Node> {
  if (!path.startsWith('/')) throw new IpfsError('ERR_INPUT', 'paths must start with a leading slash')
  if (path === '/') return readNode(repo, emptyDirectory)
  if (!path.startsWith('/ipfs/')) throw new IpfsError('ERR_NO_LINK', 'file does not exist')
  return (await resolve(repo, parsePath(path))).node
}

/** How much of the DAG is here, each link counted as often as it stands. */
async function locality(repo: Repo, node: Node) {
  let size = 0
  try {
    for await (const cid of walk(repo, node.cid)) size += blockSize(repo, cid)
    return { WithLocality: true, Local: true, SizeLocal: cumulativeSize(node) }
  } catch (error) {
    if (!isIpfsError(error, 'ERR_BLOCK_MISSING')) throw error
    return { WithLocality: true, SizeLocal: size }
  }
}
