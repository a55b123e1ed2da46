/** A storage node on real sockets, for tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, createClock } from '../clock.ts'
import { serve } from '../serve.ts'
import { createStorageNode, type StorageNode, type StorageNodeOptions } from './node.ts'

export interface ServedNode extends AsyncDisposable {
  readonly node: StorageNode
  readonly clock: Clock
  readonly folder: string
  /** `http://127.0.0.1:PORT/api/v0` */
  readonly rpc: string
  readonly gateway: string
  /** Adds files and returns the lines of the answer. */
  add(files: Readonly<Record<string, string | Uint8Array>>, query?: string): Promise<AddLine[]>
  post(path: string, init?: RequestInit): Promise<Response>
}

export interface AddLine {
  readonly Name: string
  readonly Hash: string
  readonly Size: string
}

export async function serveNode(options: Partial<StorageNodeOptions> = {}): Promise<ServedNode> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'storage-node-')))
  const clock = options.clock ?? createClock()
  const node = await createStorageNode({ ...options, folder, clock })
  const [rpcServer, gatewayServer] = await Promise.all([serve(node.rpc), serve(node.gateway)])
  const rpc = `${rpcServer.url}/api/v0`
  const post = (path: string, init?: RequestInit) => fetch(`${rpc}/${path}`, { method: 'POST', ...init })
  return {
    node,
    clock,
    folder,
    rpc,
    gateway: gatewayServer.url,
    post,
    async add(files, query = '') {
      const body = new FormData()
      for (const [name, content] of Object.entries(files))
        body.append('file', new Blob([Buffer.from(content)]), encodeURIComponent(name))
      const text = await (await post(`add?${query}`, { body })).text()
      return text
        .trim()
        .split('\n')
        .map((line): AddLine => JSON.parse(line))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([rpcServer.close(), gatewayServer.close()])
      await node.close()
      if (!options.folder) await rm(folder, { recursive: true, force: true })
    },
  }
}
