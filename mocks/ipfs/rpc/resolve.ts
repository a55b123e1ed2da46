/** Paths, resolved: `resolve` to a path again, `dag/resolve` to a CID and what is left of the path. */
import { resolve as follow, parseArgument, parsePath } from '../dag/path.ts'
import { type Command, onePath, value } from './call.ts'

export const resolve: Command = {
  path: 'resolve',
  args: onePath('name'),
  options: { recursive: 'bool', 'dht-record-count': 'uint', 'dht-timeout': 'string' },
  aliases: { r: 'recursive' },
  async run({ node: { repo }, args: [path = ''], format }) {
    const { node, remainder } = await follow(repo, parsePath(path))
    return value({ Path: ['/ipfs', format(node.cid), ...remainder].join('/') })
  },
}

export const dagResolve: Command = {
  path: 'dag/resolve',
  args: onePath('ref'),
  async run({ node: { repo }, args: [path = ''], format }) {
    const { node, remainder } = await follow(repo, parseArgument(path))
    return value({ Cid: { '/': format(node.cid) }, RemPath: remainder.join('/') })
  },
}
