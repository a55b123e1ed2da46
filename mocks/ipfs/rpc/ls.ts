/** `ls`: the entries of directories, and the links of files. https://docs.ipfs.tech/reference/kubo/rpc/#api-v0-ls */

import type { PbLink } from '../dag/dag-pb.ts'
import { listEntries } from '../dag/directory.ts'
import { contentSize, describe } from '../dag/file.ts'
import { cidOf } from '../dag/node.ts'
import { parseArgument, resolve } from '../dag/path.ts'
import { type Call, type Command, manyPaths, value } from './call.ts'

/** Numbers of the UnixFS types, as Kubo lists them. */
const typeNumbers: Readonly<Record<string, number>> = { directory: 1, 'hamt-shard': 1, symlink: 4 }
const noTime = '0001-01-01T00:00:00Z'

export const ls: Command = {
  path: 'ls',
  args: manyPaths('ipfs-path'),
  options: { headers: 'bool', 'resolve-type': 'bool', size: 'bool', stream: 'bool', long: 'bool' },
  aliases: { v: 'headers', s: 'stream', l: 'long' },
  async run(call) {
    if (call.options.flag('stream', false)) return { kind: 'values', values: streamed(call) }
    const objects: { Hash: string; Links: ListedLink[] }[] = []
    for (const path of call.args) {
      const links: ListedLink[] = []
      for await (const link of linksOf(call, path)) links.push(link)
      objects.push({
        Hash: path,
        Links: links.sort((a, b) => (a.Name < b.Name ? -1 : a.Name > b.Name ? 1 : 0)),
      })
    }
    return value({ Objects: objects })
  },
}

async function* streamed(call: Call) {
  for (const path of call.args) {
    for await (const link of linksOf(call, path)) yield { Objects: [{ Hash: path, Links: [link] }] }
  }
}

interface ListedLink {
  readonly Name: string
  readonly Hash: string
  readonly Size: number
  readonly Type: number
  readonly Target: string
  readonly Mode: number
  readonly ModTime: string
}

async function* linksOf(call: Call, path: string): AsyncGenerator<ListedLink> {
  const { repo } = call.node
  const { node } = await resolve(repo, parseArgument(path))
  for await (const link of listEntries(repo, node)) yield await list(call, link)
}

async function list({ node: { repo }, options, format }: Call, link: PbLink): Promise<ListedLink> {
  const cid = cidOf(link)
  const bare = { Name: link.name, Hash: format(cid), Size: 0, Type: 0, Target: '', Mode: 0, ModTime: noTime }
  if (!options.flag('size', true) && !options.flag('resolve-type', true)) return bare
  const child = await describe(repo, cid)
  const { entry } = child
  if (!entry) return bare
  return {
    ...bare,
    Size: entry.type === 'directory' || entry.type === 'hamt-shard' ? 0 : contentSize(child),
    Type: typeNumbers[entry.type] ?? 2,
    Target: entry.type === 'symlink' ? Buffer.from(entry.data).toString() : '',
    Mode: entry.mode ?? 0,
    ModTime: entry.mtime ? new Date(entry.mtime.seconds * 1000).toISOString().replace('.000', '') : noTime,
  }
}
