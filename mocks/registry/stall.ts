import type { Clock } from '../clock.ts'

/** Aborts when somebody is waited for longer than a limit, however long the whole takes. */
export interface Stall {
  readonly signal: AbortSignal
  /** Waits for one step of the other side. Rejects with the signal's reason when it takes too long. */
  during<Result>(step: Promise<Result>): Promise<Result>
  /** From here on the other side is waited for; `moved` ends that. */
  waiting(): void
  moved(): void
  end(): void
}

export function createStall(clock: Clock, limitMs: number, reason: () => Error): Stall {
  const controller = new AbortController()
  let waitingSince: number | undefined
  let giveUp: ((error: unknown) => void) | undefined
  let callOff = () => {}
  const check = (): void => {
    const dueAt = (waitingSince ?? clock.now()) + limitMs
    if (dueAt > clock.now()) {
      callOff = clock.at(dueAt, check)
      return
    }
    controller.abort(reason())
    giveUp?.(controller.signal.reason)
  }
  callOff = clock.at(clock.now() + limitMs, check)
  const stall: Stall = {
    signal: controller.signal,
    // Not a race with one promise for all steps: that promise would keep the result of every step.
    during: (step) =>
      new Promise((resolve, reject) => {
        giveUp = reject
        stall.waiting()
        step.then(resolve, reject).finally(stall.moved)
      }),
    waiting() {
      waitingSince = clock.now()
    },
    moved() {
      waitingSince = undefined
    },
    end: () => callOff(),
  }
  return stall
}
