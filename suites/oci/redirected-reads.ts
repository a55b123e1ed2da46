import type { Answer } from '../../harness/answer.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import type { Registry } from '../registry.ts'
import { askFor } from './existing.ts'
import { askForBlob, askForManifest, isRedirect } from './existing-reads.ts'
import { blobPath, type ExistingBlob, type ExistingManifest } from './named-content.ts'

/** A read of existing content that the registry answered with a redirect. */
export interface RedirectedRead {
  readonly method: string
  readonly from: string
  /** The redirect's target, absolute. */
  readonly to: string
  /** What is to come at the end: the content, nothing for HEAD. */
  readonly bytes: Uint8Array
  /** The same read once more, redirects followed. */
  again(client: RegistryClient): Promise<Answer>
}

/** Reads a manifest and a blob with GET and HEAD, and gives those reads that were redirected. */
export async function redirectedReads(
  registry: Registry,
  manifest: ExistingManifest,
  blob: ExistingBlob,
): Promise<readonly RedirectedRead[]> {
  const reads = (['GET', 'HEAD'] as const).flatMap((method) => [
    {
      method,
      bytes: manifest.bytes,
      first: askForManifest(registry, method, manifest),
      again: (client: RegistryClient) => askFor(client, manifest, manifest.digest, { method }),
    },
    {
      method,
      bytes: blob.bytes,
      first: askForBlob(registry, method, blob),
      again: (client: RegistryClient) => client.request(method, blobPath(blob), { fresh: true }),
    },
  ])
  const seen = await Promise.all(reads.map(async (one) => ({ ...one, answer: await one.first })))
  return seen.flatMap(({ method, bytes, again, answer }) => {
    const location = answer.header('location')
    if (!isRedirect(answer) || location === undefined) return []
    const to = new URL(location, answer.url).href
    const expected = method === 'HEAD' ? new Uint8Array() : bytes
    return [{ method, from: answer.url, to, bytes: expected, again }]
  })
}
