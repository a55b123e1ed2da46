/** `cat`: the content of files, one behind the other. https://docs.ipfs.tech/reference/kubo/rpc/#api-v0-cat */
import { contentSize, readContent } from '../dag/file.ts'
import { isDirectory, isFile, type Node } from '../dag/node.ts'
import { parseArgument, resolve } from '../dag/path.ts'
import { IpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import { type Command, manyPaths } from './call.ts'

interface Slice {
  readonly node: Node
  readonly start: number
  readonly end: number
}

export const cat: Command = {
  path: 'cat',
  readable: true,
  args: manyPaths('ipfs-path'),
  options: { offset: 'int64', length: 'int64', progress: 'bool' },
  aliases: { o: 'offset', l: 'length', p: 'progress' },
  async run({ node: { repo }, args, options }) {
    const offset = options.number('offset') ?? 0
    const limit = options.number('length')
    if (offset < 0) throw new IpfsError('ERR_INPUT', 'cannot specify negative offset')
    if (limit !== undefined && limit < 0) throw new IpfsError('ERR_INPUT', 'cannot specify negative length')
    const slices = limit === 0 ? [] : await sliceAll(repo, args, offset, limit ?? Number.POSITIVE_INFINITY)
    const length = slices.reduce((sum, { start, end }) => sum + end - start, 0)
    return { kind: 'bytes', bytes: readAll(repo, slices), length }
  },
}

/** What of each file lies within `offset` and `limit`, which count over all files joined. */
async function sliceAll(
  repo: Repo,
  args: readonly string[],
  offset: number,
  limit: number,
): Promise<Slice[]> {
  const slices: Slice[] = []
  let skip = offset
  let left = limit
  for (const arg of args) {
    const { node } = await resolve(repo, parseArgument(arg))
    if (isDirectory(node)) throw new IpfsError('ERR_IS_A_DIRECTORY', 'this dag node is a directory')
    if (!isFile(node) && node.entry?.type !== 'symlink') throw new IpfsError('ERR_INPUT', 'unknown node type')
    const size = contentSize(node)
    const start = Math.min(skip, size)
    const end = Math.min(size, start + left)
    skip -= start
    left -= end - start
    slices.push({ node, start, end })
    if (left === 0) break
  }
  return slices
}

async function* readAll(repo: Repo, slices: readonly Slice[]): AsyncGenerator<Uint8Array> {
  for (const { node, start, end } of slices) yield* readContent(repo, node, start, end)
}
