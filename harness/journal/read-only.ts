import { WriteRefused } from '../errors.ts'
import type { Targets } from '../target.ts'
import type { Observer, Outgoing } from './observer.ts'

const reading = ['GET', 'HEAD', 'OPTIONS']
const readingCommands = ['cat', 'id', 'repo/stat', 'pin/ls', 'config', 'version', 'block/get', 'dag/export']

/** Lets nothing through that could write to a target; throws `WriteRefused` instead. */
export function refusingWrites(targets: Targets): Observer {
  return {
    sending(request) {
      if (!mayWrite(request, targets)) return undefined
      throw new WriteRefused(`${request.method} ${new URL(request.url).pathname}`)
    },
  }
}

function mayWrite(request: Outgoing, { registry, storage, graphql }: Targets): boolean {
  const { method, url, body } = request
  if (graphql && (url === graphql.url || url.startsWith(`${graphql.url}?`))) return isMutation(url, body)
  if (reading.includes(method)) return false
  if (storage && url.startsWith(`${storage.url}/api/v0/`)) return !isReading(url)
  const bases = registry ? [registry.url, ...(registry.instances ?? [])] : []
  return bases.some((base) => url.startsWith(`${base}/v2/`))
}

const isMutation = (url: string, body: Uint8Array = new Uint8Array()) =>
  /\bmutation\b/.test(decodeURIComponent(url)) || /\bmutation\b/.test(Buffer.from(body).toString())

function isReading(url: string): boolean {
  const { pathname, searchParams } = new URL(url)
  const command = pathname.replace(/^.*\/api\/v0\//, '')
  return readingCommands.includes(command) || (command === 'add' && searchParams.get('only-hash') === 'true')
}
