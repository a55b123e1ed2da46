import { badInput } from './errors.ts'

const longestName = 255

/** A name as it may be stored: not blank, at most 255 characters. */
export function checkedName(what: string, name: string): string {
  if (name.trim() === '' || name.length > longestName) {
    throw badInput(`The name of a ${what} has 1 to ${longestName} characters`)
  }
  return name
}

/** A TCP or UDP port. */
export function checkedPort(what: string, port: number): number {
  if (port < 1 || port > 65_535) throw badInput(`${what} is a port from 1 to 65535`)
  return port
}

const largestInt = 2 ** 31 - 1

/** A sum as an Int of GraphQL can carry it: whole, and no larger than fits. */
export const toInt = (sum: number): number => Math.min(Math.round(sum), largestInt)
