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
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
  })
  aborted.catch(() => undefined)
  let waitingSince: number | undefined
  let callOff = () => {}
  const check = (): void => {
    const dueAt = (waitingSince ?? clock.now()) + limitMs
    if (dueAt <= clock.now()) controller.abort(reason())
    else callOff = clock.at(dueAt, check)
  }
  callOff = clock.at(clock.now() + limitMs, check)
  const stall: Stall = {
    signal: controller.signal,
    async during(step) {
      stall.waiting()
      try {
        return await Promise.race([step, aborted])
      } finally {
        stall.moved()
      }
    },
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
