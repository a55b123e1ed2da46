import { blockSize } from '../dag/node.ts'
import { parseArgument, resolveCid } from '../dag/path.ts'
import { type Command, onePath, value } from './call.ts'

export const blockStat: Command = {
  path: 'block/stat',
  args: onePath('cid'),
  async run({ node: { repo }, args: [path = ''], format }) {
    const cid = await resolveCid(repo, parseArgument(path))
    return value({ Key: format(cid), Size: blockSize(repo, cid) })
  },
}
