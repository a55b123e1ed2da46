import type { Answer } from '../harness/answer.ts'

/** A member of the JSON object that the body is; `undefined` where it has none, or is none. */
export const memberOf = (answer: Answer, name: string): unknown => membersOf(answer)[name]

/** The members of the JSON object that the body is; none where it is no object. */
export function membersOf(answer: Answer): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = answer.json()
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    return {}
  }
}
