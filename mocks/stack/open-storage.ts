import { join } from 'node:path'
import type { Handler } from '../handler.ts'
import type { Closers } from './closers.ts'
import type { PartsOptions } from './parts.ts'

/** A storage node as the stack needs it. */
export interface Storage {
  readonly rpc: Handler
  /** Absent for a node that is not ours. */
  readonly gateway?: Handler
  readonly prefix: string
  reset(): Promise<void>
}

const prefix = 'ipfs'

/** The mock node, or a real one behind its RPC address; a reset leaves the content of a real one alone. */
export async function openStorage(
  { storageUrl, folder, clock }: PartsOptions,
  closers: Closers,
): Promise<Storage> {
  if (storageUrl !== undefined) {
    const { remoteStorage } = await import('../registry/remote-storage.ts')
    return { rpc: remoteStorage(storageUrl), prefix, reset: async () => {} }
  }
  const { createStorageNode } = await import('../ipfs/node.ts')
  const node = await createStorageNode({ folder: join(folder, 'ipfs'), clock, gatewayPrefix: prefix })
  closers.add(node.close)
  return { rpc: node.rpc, gateway: node.gateway, prefix, reset: node.reset }
}
