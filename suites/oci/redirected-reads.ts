import type { Answer } from '../../harness/answer.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import { askFor } from './existing.ts'
import { blobPath, type ExistingManifest } from './named-content.ts'

/** A read of existing content that the registry answered with a redirect. */
export interface RedirectedRead {
  readonly method: string
  readonly from: string
  /** The redirect's target, absolute. */
  readonly to: string
  /** What is to come at the end: the content, nothing for HEAD. */
  readonly bytes: Uint8Array
  /** The same read once more, redirects followed. */
  again(): Promise<Answer>
}

/** Reads a manifest and its blob with GET and HEAD, and gives those reads that were redirected. */
export async function redirectedReads(
  client: RegistryClient,
  manifest: ExistingManifest,
): Promise<readonly RedirectedRead[]> {
  const reads = ['GET', 'HEAD'].flatMap((method) => [
    {
      method,
      bytes: manifest.bytes,
      read: (follow: boolean) => askFor(client, manifest, manifest.digest, { method, follow }),
    },
    {
      method,
      bytes: manifest.blob.bytes,
      read: (follow: boolean) => client.request(method, blobPath(manifest.blob), { follow, fresh: true }),
    },
  ])
  const seen = await Promise.all(reads.map(async (one) => ({ ...one, answer: await one.read(false) })))
  return seen.flatMap(({ method, bytes, read, answer }) => {
    const location = answer.header('location')
    if (answer.status < 300 || answer.status > 399 || location === undefined) return []
    const to = new URL(location, answer.url).href
    const expected = method === 'HEAD' ? new Uint8Array() : bytes
    return [{ method, from: answer.url, to, bytes: expected, again: () => read(true) }]
  })
}
