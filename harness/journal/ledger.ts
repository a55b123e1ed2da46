import type { JournalEvent } from './event.ts'
import { keyOf, type Thing } from './thing.ts'

interface Entry {
  thing: Thing
  /** Requests under way, or cut off, that may have made it. */
  pending: number
  made: boolean
}

/** What the events of a journal come to. An event that stands there twice changes nothing that matters. */
export class Ledger {
  readonly #entries = new Map<string, Entry>()
  #occupied = false

  /** Whether the namespace had content before the run. */
  get occupied(): boolean {
    return this.#occupied
  }

  apply(event: JournalEvent): void {
    if ('occupied' in event) this.#occupied = true
    else if ('making' in event) for (const thing of event.making) this.#entry(thing).pending += 1
    else if ('made' in event) for (const thing of event.made) this.#answered(thing).made = true
    else if ('refused' in event) for (const thing of event.refused) this.#answered(thing)
    else for (const thing of event.gone) this.#entries.delete(keyOf(thing))
  }

  /** What the run made, or may have made. */
  things(): readonly Thing[] {
    return [...this.#entries.values()]
      .filter(({ made, pending }) => made || pending > 0)
      .map(({ thing }) => thing)
  }

  /** Those of which no answer told whether they were made: a request may still be on its way. */
  unanswered(): readonly Thing[] {
    return [...this.#entries.values()]
      .filter(({ made, pending }) => !made && pending > 0)
      .map(({ thing }) => thing)
  }

  #entry(thing: Thing): Entry {
    const key = keyOf(thing)
    const entry = this.#entries.get(key) ?? { thing, pending: 0, made: false }
    entry.thing = { ...entry.thing, ...thing }
    this.#entries.set(key, entry)
    return entry
  }

  #answered(thing: Thing): Entry {
    const entry = this.#entry(thing)
    entry.pending = Math.max(0, entry.pending - 1)
    return entry
  }
}
