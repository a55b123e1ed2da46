import type { Answer } from '../../harness/answer.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import { blobPath, type ExistingManifest } from './named-content.ts'

const burst = 12

/** The answers 429 to a short burst of reads, too small to trouble anybody and enough for a registry that counts. */
export async function throttled(
  client: RegistryClient,
  { blob }: ExistingManifest,
): Promise<readonly Answer[]> {
  const answers = await Promise.all(
    Array.from({ length: burst }, () => client.get(blobPath(blob), { patient: false })),
  )
  return answers.filter(({ status }) => status === 429)
}
