import type { Answer } from '../../harness/answer.ts'
import { expectRefusal, expectThat, Finding } from '../../harness/finding.ts'
import { tokenOf } from '../../harness/token-service.ts'
import { errorsOf } from './refusals.ts'

export const isRefusal = ({ status }: Answer): boolean => status >= 400 && status < 500

/** The token service refuses with a status of the 400s, and no token comes along. */
export function expectNoToken(answer: Answer): void {
  expectRefusal(answer)
  const word = /"(?:token|access_token|refresh_token)"\s*:\s*"[^"]/.test(answer.text())
  expectThat(!word, 'a refusal without a token', `${answer.status} with a token`)
}

/** Refused, or given a token that opens nothing: what `use` does with it must be refused. */
export async function expectPowerless(
  answer: Answer,
  use: (token: string) => Promise<readonly Answer[]>,
): Promise<void> {
  const token = tokenOf(answer)
  if (token === undefined) return expectRefusal(answer)
  for (const { method, url, status } of await use(token)) {
    if (status >= 400 && status < 500) continue
    throw new Finding(`a refusal on ${method} ${new URL(url).pathname} with that token`, `${status}`)
  }
}

/** What a caller can tell from a refusal. */
export const faceOf = (answer: Answer): string =>
  [answer.status, answer.header('www-authenticate') ?? '', JSON.stringify(errorsOf(answer))].join(' ')
