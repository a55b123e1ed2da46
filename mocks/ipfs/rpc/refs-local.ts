import { rawCid } from '../dag/cid.ts'
import type { Call, Command } from './call.ts'

/** Every block that is here, as the raw CID of its hash: how a block was meant is not stored. */
export const refsLocal: Command = {
  path: 'refs/local',
  run: (call) => ({ kind: 'values', values: all(call) }),
}

async function* all({ node: { repo }, format }: Call) {
  for (const key of repo.keys()) yield { Ref: format(rawCid(key)), Err: '' }
}
