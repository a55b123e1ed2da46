/** `get`: a file or directory as a tar archive, or compressed. */
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { contentSize, cumulativeSize, readContent } from '../dag/file.ts'
import { isDirectory, isFile } from '../dag/node.ts'
import { parseArgument, resolve } from '../dag/path.ts'
import { archive } from '../dag/tar.ts'
import { IpfsError } from '../errors.ts'
import { type Command, onePath } from './call.ts'

export const get: Command = {
  path: 'get',
  args: onePath('ipfs-path'),
  options: {
    archive: 'bool',
    compress: 'bool',
    'compression-level': 'int',
    progress: 'bool',
    output: 'string',
  },
  aliases: { a: 'archive', C: 'compress', l: 'compression-level', p: 'progress', o: 'output' },
  async run({ node: { repo }, args: [path = ''], options }) {
    const { node } = await resolve(repo, parseArgument(path))
    if (!node.entry) throw new IpfsError('ERR_INPUT', 'unknown node type')
    const name = path.split('/').filter(Boolean).at(-1) ?? ''
    const length = isDirectory(node) ? cumulativeSize(node) : contentSize(node)
    if (!options.flag('compress', false)) {
      return { kind: 'bytes', bytes: archive(repo, name, node), length, contentType: 'application/x-tar' }
    }
    const level = options.number('compression-level') ?? 6
    if (level < 1 || level > 9) throw new IpfsError('ERR_INPUT', 'compression level must be between 1 and 9')
    const whole = options.flag('archive', false) || !isFile(node)
    const content = whole ? archive(repo, name, node) : readContent(repo, node, 0, contentSize(node))
    return { kind: 'bytes', bytes: compress(content, level), length, contentType: 'application/gzip' }
  },
}

async function* compress(content: AsyncIterable<Uint8Array>, level: number): AsyncGenerator<Uint8Array> {
  yield* Readable.from(content).compose(createGzip({ level }))
}
