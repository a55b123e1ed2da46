import type { Answer } from '../../harness/answer.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as a finding shows it. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** The JSON object that the answer is. */
export function bodyOf(answer: Answer): JsonObject {
  const body = jsonOf(answer)
  expectThat(isObject(body), 'a JSON object', () => bodyShown(answer))
  return body
}

/** The list of errors, which is there and not empty. */
export function errorsOf(answer: Answer): readonly unknown[] {
  const body = bodyOf(answer)
  const { errors } = body as { readonly errors?: unknown }
  expectThat(Array.isArray(errors) && errors.length > 0, 'a list of errors', shown(body))
  return errors
}

/** The data of an answer that succeeds, whether or not it has errors beside it. */
export function dataOf(answer: Answer): JsonObject {
  expectStatus(answer, 200)
  const body = bodyOf(answer)
  const data = body['data']
  expectThat(isObject(data), 'data', shown(body))
  return data
}

/** Nothing was delivered: `data` is absent or null. */
function expectNoData(answer: Answer): void {
  const { data } = bodyOf(answer) as { readonly data?: unknown }
  expectThat(data === undefined || data === null, 'no data', shown(data))
}

/** The document or its variables are refused: errors and no data. With which status is another rule. */
export function expectErrors(answer: Answer): void {
  expectThat(answer.status < 500, 'an answer below 500', String(answer.status))
  errorsOf(answer)
  expectNoData(answer)
}

/** Refused as this service refuses everything: HTTP 200, errors and no data. */
export function expectErrorsWith200(answer: Answer): void {
  expectStatus(answer, 200)
  expectErrors(answer)
}

/** The JSON value of a body, or `undefined`. */
export function jsonOf(answer: Answer): unknown {
  try {
    return answer.json()
  } catch {
    return undefined
  }
}

/** A body as a finding shows it. */
export function bodyShown(answer: Answer): string {
  const body = jsonOf(answer)
  if (body !== undefined) return shown(body)
  return `${answer.body.length} bytes that are not JSON: ${JSON.stringify(answer.text().slice(0, 100))}`
}

/** What a body delivers, an array of answers included. */
export const delivered = (answer: Answer): readonly unknown[] =>
  [jsonOf(answer)]
    .flat()
    .flatMap((entry) => (isObject(entry) ? [entry['data']] : []))
    .filter((data) => data !== undefined && data !== null)

/** The request is not served: a status of the 400s, or 200 with errors; either way without data. */
export function expectNotServed(answer: Answer): void {
  const found = delivered(answer)
  expectThat(found.length === 0, 'no data', shown(found[0]))
  if (answer.status >= 400 && answer.status < 500) return
  expectStatus(answer, 200)
  const entries = [jsonOf(answer)].flat()
  const refused = entries.every((entry) => isObject(entry) && Array.isArray(entry['errors']))
  expectThat(refused && entries.length > 0, 'errors', () => bodyShown(answer))
}

/** Whether a request is not served, where that is one of two ways to be right. */
export function isRefused(answer: Answer): boolean {
  const entries = [jsonOf(answer)].flat()
  const errors = entries.some((entry) => isObject(entry) && Array.isArray(entry['errors']))
  return (answer.status >= 400 && answer.status < 500) || (errors && delivered(answer).length === 0)
}

/** The list of projects, or a refusal, where both are right. */
export function expectServedOrRefused(answer: Answer): void {
  if (isRefused(answer)) expectNotServed(answer)
  else projectsIn(answer)
}

/** The list under `projects`, or under the alias of it. */
export function projectsIn(answer: Answer, key = 'projects'): readonly unknown[] {
  const list = dataOf(answer)[key]
  expectThat(isObject(list) && Array.isArray(list['data']), `a list at ${key}.data`, shown(list))
  return list['data']
}

/** Every entry of the list of projects, each of which is an object. */
export function entriesIn(answer: Answer, key?: string): readonly JsonObject[] {
  return projectsIn(answer, key).map((entry) => {
    expectThat(isObject(entry), 'entries that are objects', shown(entry))
    return entry
  })
}

/** Whether something is an object with exactly these members, in any order. */
export const hasMembers = (value: unknown, members: readonly string[]): boolean =>
  isObject(value) && Object.keys(value).sort().join() === [...members].sort().join()

/** An object has exactly these members, in any order. */
export function expectMembers(value: unknown, members: readonly string[]): void {
  expectThat(hasMembers(value, members), `exactly the members ${members.join(', ')}`, shown(value))
}
