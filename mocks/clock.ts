/**
 * The one source of time of a stack. Tokens, upload sessions, garbage collection and deployments ask it, so that a
 * test can move them all at once; nothing else in `mocks/` reads the time of the machine.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `task` once at `dueMs`, or at once when that is past. Returns a function that calls it off. */
  at(dueMs: number, task: () => Promise<void> | void): () => void
  /** Stops the clock at `ms`. Every task that fell due on the way has ended before this resolves. */
  set(ms: number): Promise<void>
  /** Lets the clock run with the machine again. */
  run(): void
}

interface Alarm {
  readonly dueMs: number
  readonly task: () => Promise<void> | void
}

/** The longest delay that a timer of the platform takes. */
const longestDelay = 2 ** 31 - 1

export function createClock(machine: () => number = Date.now): Clock {
  const alarms = new Set<Alarm>()
  let stoppedAt: number | undefined
  let timer: NodeJS.Timeout | undefined

  const now = () => stoppedAt ?? machine()
  const earliest = () =>
    [...alarms].reduce<Alarm | undefined>((a, b) => (a && a.dueMs <= b.dueMs ? a : b), undefined)

  async function runDue(until: number): Promise<void> {
    for (let alarm = earliest(); alarm && alarm.dueMs <= until; alarm = earliest()) {
      alarms.delete(alarm)
      if (stoppedAt !== undefined) stoppedAt = Math.max(stoppedAt, alarm.dueMs)
      await alarm.task()
    }
  }

  function schedule(): void {
    clearTimeout(timer)
    const next = earliest()
    if (stoppedAt !== undefined || !next) return
    const delay = Math.min(Math.max(0, next.dueMs - machine()), longestDelay)
    timer = setTimeout(() => void runDue(machine()).finally(schedule), delay)
    timer.unref()
  }

  return {
    now,
    at(dueMs, task) {
      const alarm = { dueMs, task }
      alarms.add(alarm)
      schedule()
      return () => void alarms.delete(alarm)
    },
    async set(ms) {
      clearTimeout(timer)
      stoppedAt = Math.min(ms, now())
      await runDue(ms)
      stoppedAt = ms
    },
    run() {
      stoppedAt = undefined
      schedule()
    },
  }
}
