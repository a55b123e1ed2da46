import type { Clock } from '../clock.ts'

const windowMs = 60_000
const failuresAllowed = 60
const counted = 10_000

/** Counts failed logins by account and address, for a minute from the first. A right password is never held up by it. */
export interface Throttle {
  /** Counts one more failure; resolves to the seconds to wait when there were too many. */
  failed(account: string, address: string): number | undefined
}

export function createThrottle(clock: Clock): Throttle {
  const windows = new Map<string, { failures: number; endsAt: number }>()
  return {
    failed(account, address) {
      const key = JSON.stringify([account, address])
      const now = clock.now()
      const open = windows.get(key)
      const current = open && open.endsAt > now ? open : { failures: 0, endsAt: now + windowMs }
      current.failures += 1
      windows.delete(key)
      windows.set(key, current)
      for (const oldest of windows.keys()) {
        if (windows.size <= counted) break
        windows.delete(oldest)
      }
      return current.failures > failuresAllowed ? Math.ceil((current.endsAt - now) / 1000) : undefined
    },
  }
}
