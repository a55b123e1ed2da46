import type { Answer } from '../../harness/answer.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import type { Registry } from '../registry.ts'
import { askFor } from './existing.ts'
import { blobPath, type ExistingBlob, type ExistingManifest } from './named-content.ts'

/** Existing content is read once for all requirements that only look at the answer. */

export type ReadMethod = 'GET' | 'HEAD'

/** A read, and where it ends. */
export interface Read {
  /** A redirect where the registry answers with one. */
  readonly first: Answer
  /** The answer to which the redirects led. */
  readonly last: Answer
}

/** The first answer to a read of the blob, on a fresh connection. */
export const askForBlob = (registry: Registry, method: ReadMethod, blob: ExistingBlob): Promise<Answer> =>
  registry.once(`existing-blob-${method.toLowerCase()}`, ({ client }) => read(client, method, blob, false))

/** The first answer to a read of the manifest by its digest, on a fresh connection. */
export const askForManifest = (
  registry: Registry,
  method: ReadMethod,
  manifest: ExistingManifest,
): Promise<Answer> =>
  registry.once(`existing-manifest-${method.toLowerCase()}`, ({ client }) =>
    askFor(client, manifest, manifest.digest, { method, follow: false }),
  )

/** Reads the blob, redirects followed. */
export async function readBlob(registry: Registry, method: ReadMethod, blob: ExistingBlob): Promise<Read> {
  const first = await askForBlob(registry, method, blob)
  if (!isRedirect(first)) return { first, last: first }
  const followed = `existing-blob-${method.toLowerCase()}-followed`
  return { first, last: await registry.once(followed, ({ client }) => read(client, method, blob, true)) }
}

/** Whether the answer leads to another place. */
export const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400

const read = (client: RegistryClient, method: ReadMethod, blob: ExistingBlob, follow: boolean) =>
  client.request(method, blobPath(blob), { follow, fresh: true })
