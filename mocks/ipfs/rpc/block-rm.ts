/** `block/rm`: removes blocks that nothing pins. What it refuses is told per block, with status 200. */
import { blockKey, type CID } from '../dag/cid.ts'
import { parseArgument, resolveCid } from '../dag/path.ts'
import { protection } from '../protection.ts'
import { type Call, type Command, manyPaths } from './call.ts'

export const blockRm: Command = {
  path: 'block/rm',
  args: manyPaths('cid'),
  options: { force: 'bool', quiet: 'bool' },
  aliases: { f: 'force', q: 'quiet' },
  run: (call) => ({ kind: 'values', values: removeAll(call) }),
}

async function* removeAll(call: Call) {
  const { node, args, options, format } = call
  const unlock = await node.lock.alone()
  try {
    for (const arg of args) {
      const cid = await resolveCid(node.repo, parseArgument(arg))
      const error = await remove(call, cid)
      if (error !== undefined) yield { Hash: format(cid), Error: error }
      else if (!options.flag('quiet', false)) yield { Hash: format(cid) }
    }
  } finally {
    unlock()
  }
}

/** Why a block was not removed; undefined when it was. */
async function remove({ node: { repo }, options, format }: Call, cid: CID): Promise<string | undefined> {
  const key = blockKey(cid)
  if (!repo.has(key)) return options.flag('force', false) ? undefined : `ipld: could not find ${format(cid)}`
  const pinned = await protection(repo, cid)
  if (pinned?.mode === 'indirect') return `pinned via ${format(pinned.through)}`
  if (pinned) return `pinned: ${pinned.mode}`
  repo.drop([key])
  return undefined
}
