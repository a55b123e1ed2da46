import { parseArgument, resolveCid } from '../dag/path.ts'
import { IpfsError } from '../errors.ts'
import { type Command, manyPaths, value } from './call.ts'

export const pinRm: Command = {
  path: 'pin/rm',
  args: manyPaths('ipfs-path'),
  options: { recursive: 'bool' },
  aliases: { r: 'recursive' },
  async run({ node: { repo }, args, options, format }) {
    const pins: string[] = []
    for (const arg of args) {
      const cid = await resolveCid(repo, parseArgument(arg))
      const pin = repo.pins.get(cid.toString())
      if (!pin) throw new IpfsError('ERR_PIN', 'not pinned or pinned indirectly')
      if (pin.mode === 'recursive' && !options.flag('recursive', true)) {
        throw new IpfsError('ERR_PIN', `${format(cid)} is pinned recursively`)
      }
      repo.unpin(cid.toString())
      pins.push(format(cid))
    }
    return value({ Pins: pins })
  },
}
