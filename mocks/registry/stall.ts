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

/** Time is the machine's here, not the clock's: when a test moves that by an hour, nobody has waited for an hour. */
export function createStall(limitMs: number, reason: () => Error): Stall {
  const controller = new AbortController()
  let isWaiting = true
  let giveUp: ((error: unknown) => void) | undefined
  const timer = setTimeout(() => {
    if (!isWaiting) return
    controller.abort(reason())
    giveUp?.(controller.signal.reason)
  }, limitMs)
  timer.unref()
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
      isWaiting = true
      timer.refresh()
    },
    moved() {
      isWaiting = false
    },
    end: () => clearTimeout(timer),
  }
  return stall
}
