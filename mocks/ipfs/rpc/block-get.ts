import { readBlock } from '../dag/node.ts'
import { parseArgument, resolveCid } from '../dag/path.ts'
import { type Command, onePath } from './call.ts'

export const blockGet: Command = {
  path: 'block/get',
  args: onePath('cid'),
  async run({ node: { repo }, args: [path = ''] }) {
    const block = await readBlock(repo, await resolveCid(repo, parseArgument(path)))
    return { kind: 'bytes', bytes: one(block), contentType: 'application/vnd.ipld.raw' }
  },
}

async function* one(block: Uint8Array) {
  yield block
}
