import type { Answer } from '../harness/answer.ts'

/** The `code` of each error in a refusal; `undefined` where its body is not JSON. */
export function errorCodes(answer: Answer): readonly string[] | undefined {
  const body = jsonOf(answer)
  if (body === undefined) return undefined
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : []
  return Array.isArray(errors) ? errors.flatMap((error) => (hasCode(error) ? [error.code] : [])) : []
}

const hasCode = (error: unknown): error is { readonly code: string } =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'

function jsonOf(answer: Answer): unknown {
  try {
    return answer.json()
  } catch {
    return undefined
  }
}
