/** The mock storage node: Kubo's RPC and gateway over content in a folder. */
import type { Clock } from '../clock.ts'
import type { Handler } from '../handler.ts'
import { collect } from './collect.ts'
import { CID, codecs } from './dag/cid.ts'
import { encodeNode } from './dag/dag-pb.ts'
import { encodeDirectory } from './dag/unixfs.ts'
import { createGateway } from './gateway/handler.ts'
import { createIdentity } from './identity.ts'
import { ImportWorker } from './import/import-worker.ts'
import { defaultPrefix, seal } from './import/prefix.ts'
import type { IpfsNode, Limits } from './ipfs-node.ts'
import { commands } from './rpc/commands.ts'
import { createRpc } from './rpc/handler.ts'
import { CollectionLock } from './store/collection-lock.ts'
import { Repo } from './store/repo.ts'

export interface StorageNodeOptions {
  /** Where content lies; made if absent. */
  readonly folder: string
  /** The only time that the node knows. */
  readonly clock: Clock
  /** Refuses GET on the RPC, as Kubo does. Default false: `cat`, `id` and `repo/stat` answer it. */
  readonly strict?: boolean
  /** Bytes, default 100,000,000,000. A soft limit: nothing is refused for it. */
  readonly storageMax?: number
  /** Percent of `storageMax` above which a tick collects what is not pinned, default 90. */
  readonly gcWatermark?: number
  /** Milliseconds between ticks, default one hour. */
  readonly gcPeriodMs?: number
  /** First segment of gateway paths, default `ipfs`. */
  readonly gatewayPrefix?: string
}

export interface StorageNode {
  /** The chunks of a request's body are the node's from then on: large ones go to another thread. */
  readonly rpc: Handler
  readonly gateway: Handler
  /** Returns to the state after start. What was being added is refused from then on. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Opens the folder and starts the clock of the collection. Rejects when the folder cannot be used. */
export async function createStorageNode(options: StorageNodeOptions): Promise<StorageNode> {
  const repo = new Repo(options.folder)
  if (repo.count === 0) addEmptyDirectory(repo)
  repo.rememberStart()
  const limits: Limits = {
    storageMax: options.storageMax ?? 100_000_000_000,
    gcWatermark: options.gcWatermark ?? 90,
    gcPeriodMs: options.gcPeriodMs ?? 3_600_000,
  }
  const node: IpfsNode = {
    repo,
    lock: new CollectionLock(),
    identity: createIdentity(),
    clock: options.clock,
    limits,
    worker: new ImportWorker(),
  }
  let stop = collectPeriodically(node)
  return {
    rpc: createRpc(node, commands, { strict: options.strict ?? false }),
    gateway: createGateway(node, options.gatewayPrefix ?? 'ipfs'),
    async reset() {
      stop()
      repo.reset()
      stop = collectPeriodically(node)
    },
    async close() {
      stop()
      await node.worker.close()
      repo.close()
    },
  }
}

/** A new repository holds the empty directory, pinned, as `ipfs init` leaves it. */
function addEmptyDirectory(repo: Repo): void {
  const session = repo.session()
  const block = encodeNode({ links: [], data: encodeDirectory() })
  const cid = seal(session, defaultPrefix, codecs.dagPb, [block], block.length)
  session.commit()
  repo.pin(CID.decode(cid).toString(), { mode: 'recursive', name: '' })
}

/** Looks at every period whether the watermark is passed. Returns what ends it. */
function collectPeriodically(node: IpfsNode): () => void {
  const { clock, repo, lock, limits } = node
  return clock.every(limits.gcPeriodMs, async () => {
    if (repo.usage <= (limits.storageMax * limits.gcWatermark) / 100) return
    const unlock = await lock.alone()
    // A reset in the middle of a collection ends it; there is nobody to tell.
    await collect(repo).catch(() => {})
    unlock()
  })
}
