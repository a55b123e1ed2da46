import type { Authorization } from '../../platform.ts'

/** A token that is sent as a Bearer token; `note` tells a reader what it is. */
export const bearer = (token: string, note: string): Authorization => ({ value: `Bearer ${token}`, note })

/** A token that nobody has. */
export const unknownToken = bearer(
  'assay0made0up0token0of0forty0characters0',
  'a token that was never issued',
)

/** A token of the same form as a valid one, with every letter and digit of its secret part another one. */
export function sameForm(token: string): string {
  const secretAt = Math.max(...['_', '-', '.'].map((mark) => token.lastIndexOf(mark))) + 1
  return token.slice(0, secretAt) + token.slice(secretAt).replace(/[a-z0-9]/gi, turned)
}

/** Another character of the same class: 13 letters, or 5 digits, further on. */
function turned(char: string): string {
  const code = char.charCodeAt(0)
  const [first, size] = code < 58 ? [48, 10] : code < 91 ? [65, 26] : [97, 26]
  return String.fromCharCode(first + ((code - first + size / 2) % size))
}

/** What a comparison that does not look at the whole token would take for it. */
export function alterations(token: string): readonly (readonly [name: string, token: string])[] {
  const middle = Math.floor(token.length / 2)
  const changed = token.slice(0, middle) + turnedAnything(token.charAt(middle)) + token.slice(middle + 1)
  const altered = [
    ['without its last character', token.slice(0, -1)],
    ['without its first character', token.slice(1)],
    ['its first half', token.slice(0, middle)],
    ['with a character more', `${token}a`],
    ['with one character changed', changed],
    ['in upper case', token.toUpperCase()],
    ['in lower case', token.toLowerCase()],
  ] as const
  return altered.filter(([, other]) => other !== token)
}

const turnedAnything = (char: string) => (/[a-z0-9]/i.test(char) ? turned(char) : 'a')

/** A header value with text as the UTF-8 bytes that it has on the wire. */
const onTheWire = (text: string) => Buffer.from(text).toString('latin1')

/** Tokens that try to be more than a token. */
export const hostileTokens: readonly string[] = [
  '"',
  "'",
  '\\',
  "' OR '1'='1",
  "'; DROP TABLE tokens; --",
  '%00',
  '%s%n',
  '*',
  '../../etc/passwd',
  '{"$ne":null}',
  'null',
  'undefined',
  '0',
  onTheWire('žluťoučký'),
  onTheWire('漢字🐙'),
]

export const longestToken = 'a'.repeat(64 * 1024)
