import type { Answer } from '../../../harness/answer.ts'
import { expectThat } from '../../../harness/finding.ts'
import { errorsOf, jsonOf } from '../error-body.ts'

type Skip = (condition: boolean, note: string) => void

/** Refused before the request itself was looked at, which is not what the code is about. */
const forWantOfRights = ({ status }: Answer) => status === 401 || status === 403

/** Every refusal with a JSON body has one of these codes among its errors; skips where there is none to judge. */
export function expectCode(answers: readonly Answer[], codes: readonly string[], skip: Skip): void {
  const rights = codes.includes('UNAUTHORIZED') || codes.includes('DENIED')
  const refused = answers.filter(
    (one) => one.status >= 400 && one.status < 500 && (rights || !forWantOfRights(one)),
  )
  skip(
    refused.length === 0,
    `nothing was refused for this reason: ${answers.map(({ status }) => status).join(', ') || 'no such answer'}`,
  )
  const inJson = refused.filter((one) => jsonOf(one) !== undefined)
  skip(inJson.length === 0, 'the refusal has no JSON body')
  for (const answer of inJson) {
    const seen = errorsOf(answer).map(({ code }) => String(code))
    const { method, url, status } = answer
    expectThat(
      seen.some((code) => codes.includes(code)),
      `${codes.join(' or ')} on ${method} ${new URL(url).pathname} (${status})`,
      seen.join(', ') || answer.text().slice(0, 200),
    )
  }
}
