import type { Clock } from '../clock.ts'

/** The time of a stack. What fell due has happened before these resolve. */
export interface StackClock {
  now(): Date
  /** Stops the clock at `time`. */
  set(time: Date): Promise<void>
  /** Stops the clock `ms` later than it is. */
  advance(ms: number): Promise<void>
  /** Lets the clock run with the machine again. */
  run(): void
}

export function stackClock(clock: Clock): StackClock {
  return {
    now: () => new Date(clock.now()),
    set: (time) => clock.set(time.getTime()),
    advance: (ms) => clock.set(clock.now() + ms),
    run: () => clock.run(),
  }
}
