import { ControlError } from './control-error.ts'
import { conditionsOf, filterKeys, type JournalFilter } from './journal-filter.ts'

export interface RequestsQuery {
  readonly filter: JournalFilter
  /** Undefined: list what is there at once. */
  readonly count: number | undefined
  readonly waitMs: number
}

/** A longer wait would meet the idle time-outs of clients and proxies. */
const longestWaitSeconds = 30

/** Reads the query of `GET /_mock/requests`. */
export function readRequestsQuery(query: URLSearchParams): RequestsQuery {
  const known = [...filterKeys, 'count', 'wait']
  const unknown = [...query.keys()].find((key) => !known.includes(key))
  if (unknown !== undefined) {
    throw new ControlError('unknown-key', `there is no filter "${unknown}"; there are: ${known.join(', ')}`)
  }
  const filter = Object.fromEntries(
    filterKeys.flatMap((key) => query.getAll(key).map((value) => [key, value])),
  )
  conditionsOf(filter)
  const wait = numberIn(query, 'wait', longestWaitSeconds)
  const count = numberIn(query, 'count', 1000) ?? (wait === undefined ? undefined : 1)
  return { filter, count, waitMs: (wait ?? 0) * 1000 }
}

function numberIn(query: URLSearchParams, key: string, most: number): number | undefined {
  const text = query.get(key)
  if (text === null) return undefined
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= most) return value
  throw new ControlError('bad-value', `"${key}" must be a number from 0 to ${most}`)
}
