import type { Answer } from '../../harness/answer.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'

/** The last object of an answer in JSON lines; what `add` tells of the root stands there. */
export function lastLine(answer: Answer): Readonly<Record<string, unknown>> {
  return jsonLines(answer).at(-1) ?? {}
}

/** The objects of an answer, one a line. */
export function jsonLines(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  return answer
    .text()
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const value = parsed(line)
      expectThat(
        isObject(value),
        `lines of JSON objects on ${answer.method} ${answer.url}`,
        line.slice(0, 80),
      )
      return value
    })
}

/** The CID that an answer to `add` tells. */
export function hashOf(answer: Answer): string {
  expectStatus(answer, 200)
  const { Hash } = lastLine(answer)
  const told = typeof Hash === 'string' && Hash !== ''
  expectThat(told, 'a string Hash in the last line of the answer to add', answer.text().slice(0, 120))
  return Hash
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
