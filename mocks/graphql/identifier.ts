import { randomInt } from 'node:crypto'

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
const letters = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`

const randomText = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** A new id that nobody can guess: `prefix_` and 24 lower-case letters and digits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(digits, 24)}`

/** The secret of a new personal access token, in the form that the platform gives it. */
export const newSecret = (): string => `af_live_${randomText(letters, 32)}`
