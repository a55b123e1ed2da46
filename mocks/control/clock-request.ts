import { ControlError } from './control-error.ts'
import { objectWith, optionalCount } from './shape.ts'

/** What `PUT /_mock/clock` asks for: stop at a time, stop so much later, or run with the machine again. */
export type ClockRequest = { readonly now: number } | { readonly advanceMs: number } | Record<string, never>

export function readClockRequest(body: unknown): ClockRequest {
  const object = objectWith(body, ['now', 'advanceMs'], 'the body')
  const advanceMs = optionalCount(object, 'advanceMs', 0, 'the body')
  if (object['now'] === undefined) return advanceMs === undefined ? {} : { advanceMs }
  if (advanceMs !== undefined) throw new ControlError('bad-value', 'give "now" or "advanceMs", not both')
  const now = typeof object['now'] === 'string' ? Date.parse(object['now']) : Number.NaN
  if (Number.isNaN(now)) {
    throw new ControlError('bad-value', '"now" must be a time as "2030-01-01T00:00:00Z"')
  }
  return { now }
}
