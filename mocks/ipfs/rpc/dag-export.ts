/** `dag/export`: a DAG as a CAR, each block once, parents first. */
import { carHeader, carSection } from '../car.ts'
import { type CID, inlineContent } from '../dag/cid.ts'
import { blockSize, readBlock } from '../dag/node.ts'
import { parseArgument, resolveCid } from '../dag/path.ts'
import { walk } from '../dag/walk.ts'
import { IpfsError, isIpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import { type Command, onePath } from './call.ts'

export const dagExport: Command = {
  path: 'dag/export',
  args: onePath('root'),
  options: { progress: 'bool', 'local-only': 'bool' },
  aliases: { p: 'progress' },
  async run({ node: { repo }, args: [path = ''] }) {
    const root = await resolveCid(repo, parseArgument(path))
    blockSize(repo, root)
    return { kind: 'bytes', bytes: write(repo, root), contentType: 'application/vnd.ipld.car' }
  },
}

async function* write(repo: Repo, root: CID): AsyncGenerator<Uint8Array> {
  yield carHeader([root])
  try {
    for await (const cid of walk(repo, root)) {
      if (!inlineContent(cid)) yield carSection(cid, await readBlock(repo, cid))
    }
  } catch (error) {
    throw isIpfsError(error) ? new IpfsError(error.code, `walk failed: ${error.message}`) : error
  }
}
