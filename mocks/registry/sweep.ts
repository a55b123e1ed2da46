import type { Clock } from '../clock.ts'
import type { Log } from './log.ts'
import type { Stores } from './stores.ts'

const everyMs = 3600 * 1000

/** Drops what was begun and abandoned, every hour by the clock. Content that nothing pins, the storage node drops. */
export function sweeping({ uploads }: Stores, clock: Clock, log: Log): { stop(): void } {
  const stop = clock.every(everyMs, async () => {
    try {
      const expired = await uploads.expire()
      if (expired > 0) log({ event: 'upload_expire', size: expired })
    } catch {
      log({ event: 'sweep_failed', level: 'error' })
    }
  })
  return { stop }
}
