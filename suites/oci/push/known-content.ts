import type { Answer } from '../../../harness/answer.ts'
import { expectRefusal } from '../../../harness/finding.ts'

/**
 * Other content under the digest of a blob that the repository holds is refused. A registry may also say 201 without
 * reading it, as the blob that was named is there ("the registry indicates that its not necessary because the layer is
 * already known"); then that blob has to be unchanged, which the caller checks.
 */
export function expectRefusedOrKnown(answer: Answer): void {
  if (answer.status !== 201) expectRefusal(answer)
}
