import type { Clock } from '../clock.ts'
import type { Log } from './log.ts'
import type { Stores } from './stores.ts'

const everyMs = 3600 * 1000

/**
 * Every hour by the clock, drops what was begun and abandoned, and unpins what nothing holds any more. Content that
 * nothing pins, the storage node collects by itself.
 */
export function sweeping(stores: Stores, clock: Clock, log: Log): { stop(): void } {
  const stop = clock.every(everyMs, () =>
    sweep(stores, log).catch(() => log({ event: 'sweep_failed', level: 'error' })),
  )
  return { stop }
}

async function sweep({ uploads, garbage, content }: Stores, log: Log): Promise<void> {
  const expired = await uploads.expire()
  if (expired > 0) log({ event: 'upload_expire', size: expired })
  await garbage.condemn()
  for (const cid of await garbage.claim()) {
    await content.unpin(cid)
    await garbage.collected(cid)
    log({ event: 'blob_collect', cid })
  }
}
