/** `pin/verify`: whether everything below the recursive pins is here. */
import { parseCid } from '../dag/cid.ts'
import { walk } from '../dag/walk.ts'
import { isIpfsError } from '../errors.ts'
import type { Call, Command } from './call.ts'

export const pinVerify: Command = {
  path: 'pin/verify',
  options: { verbose: 'bool', quiet: 'bool' },
  aliases: { q: 'quiet' },
  run: (call) => ({ kind: 'values', values: verify(call) }),
}

async function* verify({ node: { repo }, options, format }: Call) {
  for (const [text, { mode }] of repo.pins) {
    if (mode !== 'recursive') continue
    const cid = parseCid(text)
    try {
      for await (const _ of walk(repo, cid));
      if (options.flag('verbose', false)) yield { Cid: format(cid), Ok: true }
    } catch (error) {
      if (!isIpfsError(error)) throw error
      yield { Cid: format(cid), Ok: false, BadNodes: [{ Cid: format(cid), Err: error.message }] }
    }
  }
}
