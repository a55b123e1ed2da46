import type { Answer } from '../../harness/answer.ts'

/** How far the clocks of two machines may be apart, in seconds. */
export const skewSeconds = 5

/** The time at which an answer was made, in Unix seconds: by the target's own clock where it tells, else by ours. */
export function serverTime(answer: Answer): number {
  const told = Date.parse(answer.header('date') ?? '')
  return (Number.isNaN(told) ? Date.now() : told) / 1000
}
