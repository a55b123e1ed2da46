import { setTimeout } from 'node:timers/promises'
import type { Answer } from '../../harness/answer.ts'
import { TargetFailure } from '../../harness/errors.ts'

/** Kubo with peers looks for content that it does not have, and says nothing meanwhile. */
export const stillSearching = 'the node was still looking for the content'

/** The answer, or `undefined` where none has come after so many seconds. */
export async function unlessSilent(answer: Promise<Answer>, seconds: number): Promise<Answer | undefined> {
  const over = new AbortController()
  const guard = setTimeout(seconds * 1000, undefined, { signal: over.signal }).catch(() => undefined)
  try {
    return await Promise.race([answer.catch(silent), guard])
  } finally {
    over.abort()
  }
}

function silent(error: unknown): undefined {
  if (error instanceof TargetFailure && error.message.includes('no answer within')) return
  throw error
}
