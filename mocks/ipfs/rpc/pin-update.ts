/** `pin/update`: moves a recursive pin from one DAG to another. */
import { parseArgument, resolveCid } from '../dag/path.ts'
import { walk } from '../dag/walk.ts'
import { IpfsError } from '../errors.ts'
import { type Command, value } from './call.ts'

export const pinUpdate: Command = {
  path: 'pin/update',
  args: [
    { name: 'from-path', kind: 'text', required: true, variadic: false },
    { name: 'to-path', kind: 'text', required: true, variadic: false },
  ],
  options: { unpin: 'bool' },
  async run({ node: { repo, lock }, args: [fromPath = '', toPath = ''], options, format }) {
    const from = await resolveCid(repo, parseArgument(fromPath))
    const to = await resolveCid(repo, parseArgument(toPath))
    const unlock = await lock.shared()
    try {
      const { epoch } = repo
      const pin = repo.pins.get(from.toString())
      if (pin?.mode !== 'recursive') throw bad("'from' cid was not recursively pinned already")
      if (from.toString() !== to.toString()) {
        if (repo.pins.get(to.toString())?.mode === 'recursive') {
          throw bad("'to' cid was already recursively pinned")
        }
        for await (const _ of walk(repo, to));
        repo.check(epoch)
        repo.pin(to.toString(), pin)
        if (options.flag('unpin', true)) repo.unpin(from.toString())
      }
      return value({ Pins: [format(from), format(to)] })
    } finally {
      unlock()
    }
  },
}

const bad = (message: string) => new IpfsError('ERR_PIN', message)
