import { createHash } from 'node:crypto'

/** A short lower-case name that a seed always gives. */
export function nameFrom(seed: number, purpose: string): string {
  return hash(seed, purpose).toString('hex').slice(0, 8)
}

const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'

/** A name as people give them, from a seed: nothing in it tells who made it up. */
export function plainName(seed: number, purpose: string): string {
  const letters = [...hash(seed, purpose).subarray(0, 8)].map((byte, i) => {
    const from = i % 2 === 0 ? consonants : vowels
    return from.charAt(byte % from.length)
  })
  return letters.join('')
}

const hash = (seed: number, purpose: string) => createHash('sha256').update(`${purpose} ${seed}`).digest()
