import type { Clock } from '../clock.ts'
import type { Service } from './fault.ts'
import { type JournalEntry, Received } from './journal-entry.ts'
import { conditionsOf, type JournalFilter } from './journal-filter.ts'

export interface JournalList {
  /** How many requests have come in since start or reset. */
  readonly total: number
  /** How many of them are no longer kept. */
  readonly dropped: number
  /** Newest last. */
  readonly requests: readonly JournalEntry[]
}

/** The requests that were waited for did not come in time. The message shows the nearest miss. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
  readonly list: JournalList
  readonly nearest: JournalEntry | null

  constructor(message: string, list: JournalList, nearest: JournalEntry | null) {
    super(message)
    this.list = list
    this.nearest = nearest
  }
}

export interface WaitOptions {
  /** How many requests have to match; 1 unless told. */
  readonly count?: number
  /** 5,000 unless told. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** What the services received: the newest requests, at most 1,000. */
export interface Journal {
  receive(service: Service, request: Request): Received
  settle(received: Received, outcome: 'answered' | 'cut', status: number | null): void
  list(filter?: JournalFilter): JournalList
  /**
   * Resolves once `count` requests match and have been answered; with the status `pending`, once they have come in.
   * Rejects with `WaitTimeout`.
   */
  waitFor(filter: JournalFilter, options?: WaitOptions): Promise<JournalList>
  clear(): void
}

export function createJournal(clock: Clock, kept = 1000): Journal {
  let received: Received[] = []
  let total = 0
  const waiting = new Set<() => void>()

  const notify = () => {
    for (const look of waiting) look()
  }

  function list(filter: JournalFilter = {}): JournalList {
    const conditions = conditionsOf(filter)
    const requests = received
      .slice(-kept)
      .map((one) => one.entry())
      .filter((entry) => conditions.every((holds) => holds(entry)))
    return { total, dropped: Math.max(0, total - kept), requests }
  }

  const enough = (filter: JournalFilter, count: number) => {
    const { requests } = list(filter)
    return (
      requests.filter(({ outcome }) => filter.status === 'pending' || outcome !== 'pending').length >= count
    )
  }

  function nearest(filter: JournalFilter): JournalEntry | null {
    const conditions = conditionsOf(filter)
    const score = (entry: JournalEntry) => conditions.filter((holds) => holds(entry)).length
    const entries = list().requests
    return entries.reduce<JournalEntry | null>(
      (best, entry) => (best && score(best) > score(entry) ? best : entry),
      null,
    )
  }

  function timedOut(filter: JournalFilter, count: number): WaitTimeout {
    const found = list(filter)
    const near = nearest(filter)
    const hint = near ? `; nearest: ${near.method} ${near.path} ${near.operation} ${near.status}` : ''
    const message = `${found.requests.length} of ${count} requests matched ${JSON.stringify(filter)}${hint}`
    return new WaitTimeout(message, found, near)
  }

  return {
    receive(service, request) {
      total += 1
      const one = new Received(total, service, clock.now(), request)
      received.push(one)
      // Cut down in bulk: taking the first of an array away at every request costs more.
      if (received.length >= 2 * kept) received = received.slice(-kept)
      notify()
      return one
    },
    settle(one, outcome, status) {
      if (!one.pending) return
      one.settle(outcome, status)
      notify()
    },
    list,
    waitFor(filter, { count = 1, timeoutMs = 5000, signal } = {}) {
      return new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearTimeout(timer)
          waiting.delete(look)
          signal?.removeEventListener('abort', giveUp)
          settle()
        }
        const look = () => {
          if (enough(filter, count)) finish(() => resolve(list(filter)))
        }
        const giveUp = () => finish(() => reject(timedOut(filter, count)))
        const timer = setTimeout(giveUp, timeoutMs)
        waiting.add(look)
        signal?.addEventListener('abort', giveUp)
        look()
      })
    },
    clear() {
      received = []
      total = 0
    },
  }
}
