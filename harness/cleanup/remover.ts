import { PrerequisiteFailure, TargetFailure } from '../errors.ts'
import type { Journal } from '../journal/journal.ts'
import type { Thing } from '../journal/thing.ts'
import type { Left, Outcome } from './outcome.ts'

/** A thing that is still there, and why. */
export interface Remaining<T extends Thing = Thing> extends Left {
  readonly thing: T
}

/** Removes things side by side, and notes in the journal what is gone. */
export interface Remover {
  /** Resolves to what is not gone. Once a target does not support the removal, the rest is not asked for. */
  remove<T extends Thing>(
    things: readonly T[],
    how: (thing: T) => Promise<Outcome>,
  ): Promise<readonly Remaining<T>[]>
}

export interface RemoverOptions {
  readonly journal: Journal
  readonly concurrency: number
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
}

export function createRemover({ journal, concurrency, signal }: RemoverOptions): Remover {
  return {
    async remove<T extends Thing>(things: readonly T[], how: (thing: T) => Promise<Outcome>) {
      const remaining: Remaining<T>[] = []
      const waiting = things.values()
      let unsupported: Left | undefined
      const work = async () => {
        for (const thing of waiting) {
          const outcome = signal.aborted
            ? outOfTime
            : (unsupported ?? (await how(thing).catch((error) => failed(error, signal))))
          if (outcome === 'gone') {
            journal.note({ gone: [thing] })
            continue
          }
          if (outcome.unsupported) unsupported = outcome
          remaining.push({ thing, ...outcome })
        }
      }
      await Promise.all(Array.from({ length: concurrency }, work))
      return remaining
    },
  }
}

const outOfTime: Left = { reason: 'there was no time left', again: true }

function failed(error: unknown, signal: AbortSignal): Left {
  if (signal.aborted) return outOfTime
  // The token service gave no token.
  if (error instanceof PrerequisiteFailure) return { reason: error.message, again: true, denied: true }
  if (error instanceof TargetFailure) return { reason: error.message, again: true }
  throw error
}
