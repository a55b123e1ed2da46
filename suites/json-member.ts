import type { Answer } from '../harness/answer.ts'

/** A member of the JSON object that the body is; `undefined` where it has none, or is none. */
export function memberOf(answer: Answer, name: string): unknown {
  try {
    const body: unknown = answer.json()
    return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  } catch {
    return undefined
  }
}
