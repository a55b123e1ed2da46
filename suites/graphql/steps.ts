import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { entriesIn, isObject, type JsonObject, jsonOf } from './answers.ts'

/** The steps that requirements build on. Where one fails, what builds on it was not verified. */

const failure = (what: string, answer: Answer) =>
  new PrerequisiteFailure(`${what}: ${answer.status} ${answer.text().slice(0, 200)}`.trim())

/** The answer is a JSON object, as those of GraphQL are. */
export function needBody(answer: Answer): JsonObject {
  const body = jsonOf(answer)
  if (isObject(body)) return body
  throw failure('the answer was no JSON object', answer)
}

/** The data that the answer to a step has. */
export function needData(step: string, answer: Answer): JsonObject {
  const { data } = needBody(answer) as { readonly data?: unknown }
  if (isObject(data)) return data
  throw failure(`${step} was not answered with data`, answer)
}

/** The list of projects is served: otherwise that something else is refused would say nothing. */
export function needList(answer: Answer): readonly unknown[] {
  const body = jsonOf(answer)
  const data = isObject(body) ? body['data'] : undefined
  const list = isObject(data) ? data['projects'] : undefined
  const entries = isObject(list) ? list['data'] : undefined
  if (Array.isArray(entries)) return entries
  throw failure('the list of projects was not answered', answer)
}

/** Every entry of the list of projects, where it is served. */
export function needEntries(answer: Answer): readonly JsonObject[] {
  needList(answer)
  return entriesIn(answer)
}
