import { ControlError } from './control-error.ts'
import { glob } from './glob.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Which requests are asked for; every condition has to hold. `*` stands for any run of characters where text is compared. */
export interface JournalFilter {
  readonly service?: string
  readonly operation?: string
  readonly repository?: string
  /** `201`, a class as `4xx`, or `pending`. */
  readonly status?: string | number
  readonly method?: string
  readonly path?: string
  readonly account?: string
}

type Condition = (entry: JournalEntry) => boolean

export const filterKeys = [
  'service',
  'operation',
  'repository',
  'status',
  'method',
  'path',
  'account',
] as const

/** The conditions of a filter, one function each, so that the nearest miss can be told. */
export function conditionsOf(filter: JournalFilter): Condition[] {
  return filterKeys.flatMap((key) => {
    const wanted = filter[key]
    if (wanted === undefined) return []
    return [key === 'status' ? statusCondition(String(wanted)) : textCondition(key, String(wanted))]
  })
}

function textCondition(key: Exclude<(typeof filterKeys)[number], 'status'>, wanted: string): Condition {
  const fits = glob(key === 'method' ? wanted.toUpperCase() : wanted)
  return (entry) => fits(entry[key] ?? '')
}

function statusCondition(wanted: string): Condition {
  if (wanted === 'pending') return (entry) => entry.outcome === 'pending'
  if (!/^[1-5](\d\d|xx)$/.test(wanted)) {
    throw new ControlError(
      'bad-value',
      `"status" is a number as 201, a class as 4xx, or pending, not "${wanted}"`,
    )
  }
  return wanted.endsWith('xx')
    ? (entry) => String(entry.status).startsWith(wanted.charAt(0))
    : (entry) => entry.status === Number(wanted)
}
