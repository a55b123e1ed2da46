import type { Answer } from '../../harness/answer.ts'
import type { Registry } from '../registry.ts'
import { blobPath, type ExistingBlob } from './named-content.ts'

const burst = 12

/** The answers 429 to a short burst of reads, too small to trouble anybody and enough for a registry that counts. */
export async function throttled(registry: Registry, blob: ExistingBlob): Promise<readonly Answer[]> {
  const answers = await registry.once('burst', ({ client }) =>
    Promise.all(Array.from({ length: burst }, () => client.get(blobPath(blob), { patient: false }))),
  )
  return answers.filter(({ status }) => status === 429)
}
