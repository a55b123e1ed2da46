import type { Answer } from '../../harness/answer.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { bodyOf, errorsOf, isObject, shown } from './answers.ts'

/** `errors[0].message` is the text that is laid down. */
export function expectMessage(answer: Answer): void {
  const message = firstError(answer)?.['message']
  expectThat(message === 'Not authenticated', 'errors[0].message "Not authenticated"', shown(message))
}

/** `errors[0].extensions.code` is the code that is laid down. */
export function expectCode(answer: Answer): void {
  const code = codeOf(answer)
  expectThat(code === 'UNAUTHENTICATED', 'errors[0].extensions.code UNAUTHENTICATED', shown(code))
}

/** `data` is there, and null. */
export function expectDataNull(answer: Answer): void {
  const body = bodyOf(answer)
  expectThat('data' in body && body['data'] === null, 'data that is present and null', shown(body))
}

/** The whole answer to a request without a token that counts. */
export function expectUnauthenticated(answer: Answer): void {
  expectStatus(answer, 200)
  expectMessage(answer)
  expectCode(answer)
  expectDataNull(answer)
}

/** The code of the first error, or `undefined`. */
function codeOf(answer: Answer): unknown {
  const extensions = firstError(answer)?.['extensions']
  return isObject(extensions) ? extensions['code'] : undefined
}

function firstError(answer: Answer) {
  const [first] = errorsOf(answer)
  return isObject(first) ? first : undefined
}
