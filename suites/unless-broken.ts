import type { Answer } from '../harness/answer.ts'
import { TargetFailure } from '../harness/errors.ts'

/** The answer, or nothing where the transfer broke off: what a client cannot take for the whole. */
export async function unlessBroken(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof TargetFailure) return undefined
    throw error
  }
}
