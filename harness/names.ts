import { createHash } from 'node:crypto'

/** A short lower-case name that a seed always gives. */
export function nameFrom(seed: number, purpose: string): string {
  return createHash('sha256').update(`${purpose} ${seed}`).digest('hex').slice(0, 8)
}
