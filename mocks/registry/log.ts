import type { Clock } from '../clock.ts'

/** What a record says beyond its time and the service's name. */
export interface LogEvent {
  readonly event: string
  readonly level?: 'info' | 'warn' | 'error'
  readonly repository?: string
  readonly digest?: string
  readonly cid?: string
  readonly size?: number
  /** When the work began, in the clock's milliseconds. */
  readonly since?: number
}

export type Log = (event: LogEvent) => void

/** Writes records of exactly the nine fields of specification 2.4, null where one does not apply. */
export function createLog(clock: Clock, write: (line: string) => void): Log {
  return ({ event, level = 'info', repository, digest, cid, size, since }) =>
    write(
      JSON.stringify({
        timestamp: new Date(clock.now()).toISOString(),
        level,
        service: 'registry',
        event,
        repository: repository ?? null,
        digest: digest ?? null,
        ipfs_cid: cid ?? null,
        size: size ?? null,
        duration_ms: since === undefined ? null : Math.max(0, Math.round(clock.now() - since)),
      }),
    )
}
