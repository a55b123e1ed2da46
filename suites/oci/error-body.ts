import type { Answer } from '../../harness/answer.ts'
import { expectThat } from '../../harness/finding.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON of a refusal, where it has any; text that happens to read as a number or a word is text. */
export function jsonOf(answer: Answer): unknown {
  const labelled = /^application\/(?:[\w.-]+\+)?json\b/i.test(answer.header('content-type') ?? '')
  if (!labelled && !/^\s*[[{]/.test(answer.text())) return undefined
  try {
    return answer.json()
  } catch {
    return undefined
  }
}

/** The errors of a refusal that has a JSON body in the right shape, its entries as they stand; none otherwise. */
export function errorsOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  const body = jsonOf(answer)
  const errors = isObject(body) ? body['errors'] : undefined
  return Array.isArray(errors) ? errors.filter(isObject) : []
}

/** The body is an object with a non-empty array `errors` of objects that each have a code. */
export function expectErrorShape(answer: Answer): void {
  const body = jsonOf(answer)
  const errors = isObject(body) ? body['errors'] : undefined
  const right =
    Array.isArray(errors) &&
    errors.length > 0 &&
    errors.every((error) => isObject(error) && typeof error['code'] === 'string')
  const { method, url, status } = answer
  expectThat(
    right,
    `{"errors":[{"code":…}]} in the JSON body of ${method} ${new URL(url).pathname} (${status})`,
    answer.text().slice(0, 200),
  )
}
