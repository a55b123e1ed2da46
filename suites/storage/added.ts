import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { step } from '../step.ts'

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

/** What `add` told of the root, for what builds on it. */
export const rootOf = (answer: Answer): Readonly<Record<string, unknown>> =>
  step('reading what add told', () => lastLine(answer))

/**
 * The CID of what was added, for what builds on it. That it was not added at all is a finding; which status of success
 * that has is for others to say.
 */
export function hashOf(answer: Answer): string {
  if (answer.status >= 300) expectStatus(answer, 200)
  const { Hash } = rootOf(answer)
  if (typeof Hash !== 'string' || Hash === '') throw new PrerequisiteFailure('add told no Hash')
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
