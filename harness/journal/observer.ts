import type { Answer, HeaderList } from '../answer.ts'
import type { JournalEvent } from './event.ts'
import type { Journal } from './journal.ts'
import type { Thing } from './thing.ts'

/** A request before it goes out, secrets and all. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly body?: Uint8Array
  /** `sha256:<hex>` of the body. */
  readonly digest?: string
}

/** Told what a request was answered, where an answer came. */
export type Told = (answer: Answer) => void

/** Looks at requests before they go out. Where it looks longer, the request waits. */
export interface Observer {
  sending(request: Outgoing): Told | undefined | Promise<Told | undefined>
}

/** Recognises requests that create something on one kind of target. */
export interface Recogniser {
  /** What the request may make, and what an answer tells more; `undefined` for a request that makes nothing. */
  recognise(request: Outgoing): Recognised | undefined | Promise<Recognised | undefined>
}

export interface Recognised {
  readonly making: readonly Thing[]
  /** What an answer settles. Without it, all was made with a status of the 200s, and nothing with one of the 300s or 400s. */
  readonly settled?: (answer: Answer) => readonly JournalEvent[]
}

/** Notes what requests create: before they go out, and what came of it when they are answered. */
export function journalling(recognisers: readonly Recogniser[], journal: Journal): Observer {
  return {
    async sending(request) {
      for (const recogniser of recognisers) {
        const found = await recogniser.recognise(request)
        if (found) return follow(found, journal)
      }
      return undefined
    },
  }
}

function follow({ making, settled }: Recognised, journal: Journal): Told {
  if (making.length > 0) journal.note({ making })
  // Without an answer it stays open whether something was made.
  return (answer) => {
    for (const event of settled ? settled(answer) : byStatus(making, answer)) journal.note(event)
  }
}

/** A server that fails may have stored something. */
export function byStatus(making: readonly Thing[], { status }: Answer): readonly JournalEvent[] {
  if (making.length === 0 || status >= 500) return []
  return [status < 300 ? { made: making } : { refused: making }]
}
