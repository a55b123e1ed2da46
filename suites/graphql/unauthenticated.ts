import type { Answer } from '../../harness/answer.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { bodyOf, errorsOf } from '../platform.ts'

/** The parts of the one refusal that the platform has for requests without a live token. */

export function expectMessage(answer: Answer): void {
  const { message } = errorsOf(answer)[0] ?? {}
  expectThat(
    message === 'Not authenticated',
    'the message "Not authenticated"',
    JSON.stringify(message) ?? 'none',
  )
}

export function expectCode(answer: Answer): void {
  const code = errorsOf(answer)[0]?.extensions?.code
  expectThat(code === 'UNAUTHENTICATED', 'the code UNAUTHENTICATED', JSON.stringify(code) ?? 'none')
}

export function expectDataNull(answer: Answer): void {
  const body = bodyOf(answer)
  expectThat('data' in body && body.data === null, 'data: null', JSON.stringify(body).slice(0, 120))
}

export function expectRefused(answer: Answer): void {
  expectStatus(answer, 200)
  expectMessage(answer)
  expectCode(answer)
  expectDataNull(answer)
}
