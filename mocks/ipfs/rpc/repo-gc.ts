/** `repo/gc`: collects now, whatever the watermark says. */
import { collect } from '../collect.ts'
import { rawCid } from '../dag/cid.ts'
import type { Call, Command } from './call.ts'

export const repoGc: Command = {
  path: 'repo/gc',
  options: { 'stream-errors': 'bool', quiet: 'bool', silent: 'bool' },
  aliases: { q: 'quiet' },
  run(call) {
    return { kind: 'values', values: removed(call) }
  },
}

async function* removed({ node: { repo, lock }, options, format }: Call) {
  const unlock = await lock.alone()
  const gone = await collect(repo).finally(unlock)
  if (options.flag('silent', false)) return
  for (const key of gone) yield { Key: { '/': format(rawCid(key)) } }
}
