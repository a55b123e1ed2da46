/** `dag/import`: the blocks of CARs, and pins on their roots. */
import { type Car, readCar } from '../car.ts'
import { blockKey, type CID, formatCid, inlineContent, keyOfMultihash } from '../dag/cid.ts'
import { hashByCode, multihash } from '../dag/hash.ts'
import { walk } from '../dag/walk.ts'
import { IpfsError, isIpfsError } from '../errors.ts'
import { uploadedEntries } from '../import/upload.ts'
import type { Repo } from '../store/repo.ts'
import type { Session } from '../store/session.ts'
import { bigBlock, blockLimit } from './block-limit.ts'
import type { Call, Command } from './call.ts'

interface Imported {
  readonly roots: Map<string, CID>
  blocks: number
  bytes: number
}

export const dagImport: Command = {
  path: 'dag/import',
  args: [{ name: 'path', kind: 'file', required: true, variadic: true }],
  options: {
    'pin-roots': 'bool',
    silent: 'bool',
    stats: 'bool',
    'allow-big-block': 'bool',
    'local-only': 'bool',
  },
  run: (call) => ({ kind: 'values', values: importAll(call) }),
}

async function* importAll(call: Call) {
  const { repo, lock } = call.node
  const pins = call.options.flag('pin-roots', !call.options.flag('local-only', false))
  const unlock = pins ? await lock.shared() : () => {}
  try {
    const imported = await store(call)
    if (pins) {
      for (const cid of imported.roots.values()) {
        const error = await pinRoot(repo, cid)
        yield { Root: { Cid: { '/': call.format(cid) }, PinErrorMsg: error } }
      }
    }
    if (call.options.flag('stats', false)) {
      yield { Stats: { BlockCount: imported.blocks, BlockBytesCount: imported.bytes } }
    }
  } finally {
    unlock()
  }
}

/** Reads all CARs of the request. What came before a failure stays. */
async function store(call: Call): Promise<Imported> {
  const imported: Imported = { roots: new Map(), blocks: 0, bytes: 0 }
  const session = call.node.repo.session()
  try {
    for await (const { body } of uploadedEntries(call.files)) {
      const car = await readCar(body)
      for (const root of car.roots) imported.roots.set(root.toString(), root)
      await storeBlocks(call, session, car, imported)
    }
  } finally {
    session.commit()
  }
  return imported
}

async function storeBlocks(call: Call, session: Session, car: Car, imported: Imported): Promise<void> {
  let previous: CID | undefined
  try {
    for await (const { cid, block } of car.blocks) {
      if (block.length > blockLimit && !call.options.flag('allow-big-block', false)) throw bigBlock()
      verify(cid, block)
      // The bytes still belong to the chunk that they arrived in; the session keeps them longer.
      const copy = Buffer.from(block)
      if (!inlineContent(cid)) session.put(blockKey(cid), [copy], copy.length)
      if (session.full) await session.drain()
      imported.blocks++
      imported.bytes += block.length
      previous = cid
    }
  } catch (error) {
    if (!isIpfsError(error)) throw error
    const where = previous ? ` after block ${JSON.stringify(formatCid(previous))}` : ''
    throw new IpfsError(error.code, `import failed${where}: ${error.message}`)
  }
}

/** A CAR says which CID each block has; only the hash proves it. */
function verify(cid: CID, block: Uint8Array): void {
  const hash = hashByCode(cid.multihash.code)
  if (!hash) return
  const computed = hash.code === 0 ? cid.multihash.bytes : multihash(hash, [block])
  if (cid.multihash.size === computed.length - 2 && keyOfMultihash(computed) !== blockKey(cid)) {
    throw new IpfsError('ERR_INPUT', `mismatch in content integrity, expected: ${formatCid(cid)}`)
  }
}

/** Why the root could not be pinned; '' when it is. */
async function pinRoot(repo: Repo, cid: CID): Promise<string> {
  const { epoch } = repo
  try {
    for await (const _ of walk(repo, cid));
  } catch (error) {
    if (!isIpfsError(error)) throw error
    return error.message
  }
  repo.check(epoch)
  repo.pin(cid.toString(), { mode: 'recursive', name: '' })
  return ''
}
