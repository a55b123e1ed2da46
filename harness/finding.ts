import type { Answer } from './answer.ts'
import { sha256 } from './sha256.ts'

/** What a target did against what was asked of it, in the two halves that a report sets side by side. */
export class Finding extends Error {
  override readonly name = 'Finding'
  readonly expected: string
  readonly seen: string

  constructor(expected: string, seen: string) {
    super(`expected ${expected}, seen ${seen}`)
    this.expected = expected
    this.seen = seen
  }
}

/** The request in a few words: long hashes are shortened, as the exchange tells them in full. */
const of = ({ method, url }: Answer) =>
  `${method} ${new URL(url).pathname.replace(/([0-9a-f]{12})[0-9a-f]{20,}/g, '$1…')}`

/** The answer has one of these statuses. */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): void {
  if (statuses.includes(answer.status)) return
  throw new Finding(`${statuses.join(' or ')} on ${of(answer)}`, `${answer.status}${excerpt(answer)}`)
}

/** The answer refuses with a status of the 400s. */
export function expectRefusal(answer: Answer): void {
  if (answer.status >= 400 && answer.status < 500) return
  throw new Finding(`a refusal (4xx) on ${of(answer)}`, `${answer.status}${excerpt(answer)}`)
}

/** The header is there; with `value`, it is that or matches it. Returns it. */
export function expectHeader(answer: Answer, name: string, value?: string | RegExp): string {
  const seen = answer.header(name)
  if (seen === undefined) throw new Finding(`a ${name} header on ${of(answer)}`, 'none')
  const right = value === undefined || (typeof value === 'string' ? seen === value : value.test(seen))
  if (!right) throw new Finding(`${name}: ${value} on ${of(answer)}`, `${name}: ${seen}`)
  return seen
}

/** The header is not there. */
export function expectNoHeader(answer: Answer, name: string): void {
  const seen = answer.header(name)
  if (seen !== undefined) throw new Finding(`no ${name} header on ${of(answer)}`, `${name}: ${seen}`)
}

/** The body is exactly these bytes. */
export function expectBytes(answer: Answer, bytes: Uint8Array): void {
  if (Buffer.compare(answer.body, bytes) === 0) return
  throw new Finding(`the ${bytes.length} bytes with ${sha256(bytes)}`, differenceOf(answer.body, bytes))
}

/** The answer is 200 with exactly these bytes. */
export function expectContent(answer: Answer, bytes: Uint8Array): void {
  expectStatus(answer, 200)
  expectBytes(answer, bytes)
}

/** The body is JSON; returns its value. */
export function expectJson(answer: Answer): unknown {
  try {
    return answer.json()
  } catch {
    throw new Finding(
      `a JSON body on ${of(answer)}`,
      `${answer.body.length} bytes that are not JSON${excerpt(answer)}`,
    )
  }
}

/** Anything else: throws with the two halves unless `holds`. What is long to tell is told by a function. */
export function expectThat(holds: boolean, expected: string, seen: string | (() => string)): asserts holds {
  // What JSON.stringify makes of nothing is no string, whatever its type says.
  if (!holds) throw new Finding(expected, typeof seen === 'function' ? seen() : String(seen))
}

function differenceOf(seen: Uint8Array, wanted: Uint8Array): string {
  if (seen.length !== wanted.length) return `${seen.length} bytes with ${sha256(seen)}`
  const at = seen.findIndex((byte, i) => byte !== wanted[i])
  return `${seen.length} bytes with ${sha256(seen)}; the first wrong one is at ${at}`
}

const excerptLength = 160

function excerpt(answer: Answer): string {
  if (answer.body.length === 0) return ''
  const text = answer.text().slice(0, excerptLength)
  return text.includes('\u0000') || text.includes('\uFFFD') ? '' : ` (${text.trim().replace(/\s+/g, ' ')})`
}
