import { aliased } from '../../fixtures/graphql-sizes.ts'
import type { Answer } from '../../harness/answer.ts'
import type { Platform } from '../platform.ts'
import { isRefused } from './answers.ts'

/** How often the list of projects is asked for in one document. */
export const sizes: readonly number[] = [10, 100, 1000, 10_000]

/** The first size that is refused, and how; `undefined` where each is served. */
export async function refusedSize(
  platform: Platform,
): Promise<{ readonly size: number; readonly answer: Answer } | undefined> {
  for (const size of sizes) {
    const answer = await platform.post(aliased(size))
    if (isRefused(answer)) return { size, answer }
  }
  return undefined
}
