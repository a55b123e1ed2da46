import type { Answer } from '../../../harness/answer.ts'
import { expectHeader, expectThat } from '../../../harness/finding.ts'

/** The answer names a place in Location: a URI reference that is not empty. */
export function expectLocation(answer: Answer): void {
  const location = expectHeader(answer, 'location')
  const readable = location !== '' && URL.canParse(location, answer.url)
  expectThat(readable, 'a URI reference in Location', JSON.stringify(location))
}
