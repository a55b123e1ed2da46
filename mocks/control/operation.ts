import type { Service } from './fault.ts'

/** What a request asks for, in the words of its protocol. */
export interface Operation {
  /** As `oci.manifest.put`, `ipfs.pin.add`, `gateway.get`; null for a path that the service does not have. */
  readonly operation: string | null
  readonly repository: string | null
}

/** Endpoint families of the registry, by what follows the name: https://github.com/opencontainers/distribution-spec/blob/main/spec.md#endpoints */
const families: readonly (readonly [RegExp, string])[] = [
  [/^\/v2\/(.+)\/blobs\/uploads(?:\/[^/]*)?$/, 'upload'],
  [/^\/v2\/(.+)\/manifests\/[^/]+$/, 'manifest'],
  [/^\/v2\/(.+)\/blobs\/[^/]+$/, 'blob'],
  [/^\/v2\/(.+)\/tags\/list$/, 'tags'],
  [/^\/v2\/(.+)\/referrers\/[^/]+$/, 'referrers'],
]

const fixedPaths: Readonly<Record<string, string>> = {
  '/v2': 'base',
  '/v2/': 'base',
  '/v2/_catalog': 'catalog',
  '/token': 'token',
}

/** Names the operation of a request. GraphQL is told by the document instead (`graphql-operation.ts`). */
export function operationOf(service: Service, method: string, path: string): Operation {
  const verb = method.toLowerCase()
  if (service === 'registry') return registryOperation(verb, path)
  if (service === 'gateway') return { operation: `gateway.${verb}`, repository: null }
  const command = /^\/api\/v0\/(.+)$/.exec(path)?.[1]
  const operation = service === 'storage' && command ? `ipfs.${command.replaceAll('/', '.')}` : null
  return { operation, repository: null }
}

function registryOperation(verb: string, path: string): Operation {
  const fixed = fixedPaths[path]
  if (fixed !== undefined) return { operation: `oci.${fixed}.${verb}`, repository: null }
  for (const [pattern, family] of families) {
    const repository = pattern.exec(path)?.[1]
    if (repository !== undefined) return { operation: `oci.${family}.${verb}`, repository }
  }
  return { operation: null, repository: null }
}
