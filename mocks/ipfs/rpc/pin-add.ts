/** `pin/add`: protects content from collection. All of it must be here. */
import type { CID } from '../dag/cid.ts'
import { blockSize } from '../dag/node.ts'
import { parseArgument, resolveCid } from '../dag/path.ts'
import { walk } from '../dag/walk.ts'
import { IpfsError, isIpfsError } from '../errors.ts'
import type { Repo } from '../store/repo.ts'
import { type Call, type Command, manyPaths } from './call.ts'

export const pinAdd: Command = {
  path: 'pin/add',
  args: manyPaths('ipfs-path'),
  options: { recursive: 'bool', name: 'string', progress: 'bool' },
  aliases: { r: 'recursive', n: 'name' },
  async run(call) {
    const name = call.options.text('name') ?? ''
    if (Buffer.byteLength(name) > 255) {
      throw new IpfsError('ERR_INPUT', `pin name is ${Buffer.byteLength(name)} bytes (max 255 bytes)`)
    }
    const { pins, progress } = await pinAll(call, name)
    if (!call.options.flag('progress', false)) return { kind: 'value', value: { Pins: pins } }
    return {
      kind: 'values',
      values: lines({ Progress: progress.blocks, Bytes: progress.bytes }, { Pins: pins }),
    }
  },
}

async function* lines(...values: readonly unknown[]) {
  yield* values
}

async function pinAll({ node, args, options, format }: Call, name: string) {
  const { repo, lock } = node
  const recursive = options.flag('recursive', true)
  const progress = { blocks: 0, bytes: 0 }
  const pins: string[] = []
  const unlock = await lock.shared()
  try {
    const { epoch } = repo
    for (const arg of args) {
      const cid = await resolveCid(repo, parseArgument(arg))
      if (recursive) await visit(repo, cid, progress)
      else if (repo.pins.get(cid.toString())?.mode === 'recursive') {
        throw new IpfsError('ERR_PIN', `pin: ${format(cid)} already pinned recursively`)
      }
      repo.check(epoch)
      repo.pin(cid.toString(), { mode: recursive ? 'recursive' : 'direct', name })
      pins.push(format(cid))
    }
    return { pins, progress }
  } finally {
    unlock()
  }
}

/** Counts the blocks of a DAG, which all have to be here. */
async function visit(repo: Repo, cid: CID, progress: { blocks: number; bytes: number }): Promise<void> {
  try {
    for await (const each of walk(repo, cid)) {
      progress.blocks++
      progress.bytes += blockSize(repo, each)
    }
  } catch (error) {
    throw isIpfsError(error) ? new IpfsError(error.code, `pin: ${error.message}`) : error
  }
}
