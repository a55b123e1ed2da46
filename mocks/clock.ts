/**
 * The one source of time of a stack. Tokens, upload sessions, garbage collection and deployments ask it, so that a
 * test can move them all at once; nothing else in `mocks/` reads the time of the machine.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `task` once at `dueMs`, or at once when that is past. Returns a function that calls it off. */
  at(dueMs: number, task: () => Promise<void> | void): () => void
  /**
   * Runs `task` every `periodMs`. Where the clock jumps over several periods it runs at the first and the last of them.
   * Returns a function that calls it off.
   */
  every(periodMs: number, task: () => Promise<void> | void): () => void
  /** Stops the clock at `ms`. Every task that fell due on the way has ended before this resolves. */
  set(ms: number): Promise<void>
  /** Lets the clock run with the machine again. */
  run(): void
}

interface Alarm {
  dueMs: number
  readonly task: () => Promise<void> | void
  readonly periodMs?: number
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
      if (stoppedAt !== undefined) stoppedAt = Math.max(stoppedAt, alarm.dueMs)
      if (alarm.periodMs === undefined) alarms.delete(alarm)
      else alarm.dueMs += Math.max(1, Math.floor((until - alarm.dueMs) / alarm.periodMs)) * alarm.periodMs
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

  /** After a step back in time, nothing periodic is further away than its period. */
  function bringNear(): void {
    for (const alarm of alarms) {
      if (alarm.periodMs !== undefined) alarm.dueMs = Math.min(alarm.dueMs, now() + alarm.periodMs)
    }
  }

  function add(alarm: Alarm): () => void {
    alarms.add(alarm)
    schedule()
    return () => void alarms.delete(alarm)
  }

  return {
    now,
    at: (dueMs, task) => add({ dueMs, task }),
    every: (periodMs, task) => add({ dueMs: now() + periodMs, task, periodMs }),
    async set(ms) {
      clearTimeout(timer)
      stoppedAt = Math.min(ms, now())
      await runDue(ms)
      stoppedAt = ms
      bringNear()
    },
    run() {
      stoppedAt = undefined
      bringNear()
      schedule()
    },
  }
}
