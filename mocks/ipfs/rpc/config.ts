/** `config`: reading what this node would have in its configuration file. Nothing can be changed. */
import { IpfsError } from '../errors.ts'
import type { IpfsNode } from '../ipfs-node.ts'
import { type Command, value } from './call.ts'

interface Section {
  readonly [key: string]: string | number | boolean | null | readonly string[] | Section
}

function configuration({ identity, limits }: IpfsNode): Section {
  return {
    API: { HTTPHeaders: {} },
    Addresses: { API: '/ip4/127.0.0.1/tcp/5001', Gateway: '/ip4/127.0.0.1/tcp/8080', Swarm: [] },
    Bootstrap: [],
    Datastore: {
      GCPeriod: duration(limits.gcPeriodMs),
      HashOnRead: false,
      StorageGCWatermark: limits.gcWatermark,
      StorageMax: size(limits.storageMax),
    },
    Gateway: { NoFetch: true, RootRedirect: '' },
    Identity: { PeerID: identity.id },
    Import: { CidVersion: null, HashFunction: null, UnixFSChunker: null, UnixFSRawLeaves: null },
  }
}

/** Whole hours, minutes or seconds where they fit: `1h`. */
function duration(ms: number): string {
  for (const [unit, length] of [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const) {
    if (ms >= length && ms % length === 0) return `${ms / length}${unit}`
  }
  return `${ms}ms`
}

const size = (bytes: number) => (bytes % 1e9 === 0 ? `${bytes / 1e9}GB` : `${bytes}B`)

export const config: Command = {
  path: 'config',
  args: [
    { name: 'key', kind: 'text', required: true, variadic: false },
    { name: 'value', kind: 'text', required: false, variadic: false },
  ],
  options: { bool: 'bool', json: 'bool' },
  run({ node, args: [key = '', ...changes] }) {
    if (changes.length > 0) throw new IpfsError('ERR_INPUT', 'this node keeps its configuration')
    let found: Section[string] | undefined = configuration(node)
    let above = ''
    for (const name of key.split('.')) {
      found = isSection(found) ? found[name] : undefined
      above = above === '' ? name : `${above}.${name}`
      if (found === undefined) {
        throw new IpfsError(
          'ERR_INPUT',
          `failed to get config value: ${JSON.stringify(`${above} not found`)}`,
        )
      }
    }
    return value({ Key: key, Value: found })
  },
}

const isSection = (part: Section[string] | undefined): part is Section =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

export const configShow: Command = {
  path: 'config/show',
  run: ({ node }) => value(configuration(node)),
}
