import { createAnswer } from '../answer.ts'
import { sha256 } from '../sha256.ts'
import type { JournalEvent } from './event.ts'
import { Ledger } from './ledger.ts'
import { journalling, type Recogniser } from './observer.ts'
import type { Thing } from './thing.ts'

/** A request and its answer: no answer where there is no status. */
export interface Told {
  readonly method: string
  readonly url: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
  readonly answer?: Readonly<Record<string, string>>
  readonly text?: string
}

/** Takes requests to a recogniser, and tells what the journal says after each. */
export function observed(recogniser: Recogniser) {
  const ledger = new Ledger()
  const events: JournalEvent[] = []
  const note = (event: JournalEvent) => {
    events.push(event)
    ledger.apply(event)
  }
  const observer = journalling([recogniser], { note, close: () => {} })
  return {
    events,
    async tell({ method, url, body, headers = {}, status, answer = {}, text = '' }: Told) {
      const told = await observer.sending({
        method,
        url,
        headers: Object.entries(headers),
        ...(body !== undefined && { body: Buffer.from(body), digest: sha256(Buffer.from(body)) }),
      })
      if (status === undefined) return ledger.things()
      told?.(createAnswer(method, url, status, Object.entries(answer), Buffer.from(text)))
      return ledger.things()
    },
    things: (): readonly Thing[] => ledger.things(),
  }
}
