import { randomBytes } from 'node:crypto'
import { createHttpClient } from '../http.ts'
import type { Redactor } from '../redactor.ts'
import type { Targets } from '../target.ts'
import type { Transport } from '../transport.ts'
import { controlWrites } from './control-writes.ts'
import { openJournal } from './journal.ts'
import { journalling, type Observer } from './observer.ts'
import { platformWrites } from './platform-writes.ts'
import { refusingWrites } from './read-only.ts'
import { registryWrites } from './registry-writes.ts'
import { storageWrites } from './storage-writes.ts'

export interface Observed {
  readonly targets: Targets
  /** The file of the run's journal; absent where nothing has to be removed afterwards. */
  readonly journal?: string
  readonly readOnly?: boolean
}

/** Who looks at the requests of a run before they go out: a read-only run refuses to write, others keep a journal. */
export function observeRun(
  { targets, journal, readOnly }: Observed,
  transport: Transport,
  redactor: Redactor,
): Observer | undefined {
  if (readOnly) return refusingWrites(targets)
  if (journal === undefined) return undefined
  const { storage, graphql } = targets
  const thread = randomBytes(4).toString('hex')
  let started = 0
  const recognisers = [
    ...(storage
      ? [
          storageWrites(
            storage.url,
            createHttpClient({ transport, redactor, record: [], observer: undefined }),
          ),
        ]
      : []),
    ...(storage?.control ? [controlWrites(storage.control)] : []),
    ...(graphql ? [platformWrites(graphql)] : []),
    registryWrites(() => `${thread}-${++started}`),
  ]
  return journalling(recognisers, openJournal(journal))
}
