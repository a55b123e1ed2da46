import { ControlError } from './control-error.ts'

export type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Narrows `value` to an object with no other members than `keys`; the error names the first one too many. */
export function objectWith(value: unknown, keys: readonly string[], where: string): Json {
  if (!isObject(value)) throw new ControlError('bad-value', `${where} must be a JSON object`)
  const unknown = Object.keys(value).find((key) => !keys.includes(key))
  if (unknown !== undefined) {
    const known = keys.length > 0 ? `it may have: ${keys.join(', ')}` : 'it has no members'
    throw new ControlError('unknown-key', `${where} has no member "${unknown}"; ${known}`)
  }
  return value
}

/** The text at `key`, undefined where it is absent. */
export function optionalText(object: Json, key: string, where: string): string | undefined {
  const value = object[key]
  if (value === undefined || typeof value === 'string') return value
  throw new ControlError('bad-value', `"${key}" of ${where} must be a string`)
}

/** The whole number at `key`, at least `least`; undefined where it is absent. */
export function optionalCount(object: Json, key: string, least: number, where: string): number | undefined {
  const value = object[key]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw new ControlError('bad-value', `"${key}" of ${where} must be a whole number of at least ${least}`)
}
