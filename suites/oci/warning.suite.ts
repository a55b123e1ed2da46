import { describe } from 'vitest'
import { expectThat } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { ociDistribution, rfc } from '../specifications.ts'
import { test as base } from './existing.ts'
import { answersThatWarn, warningsOf } from './warning-header.ts'

const warnings = ociDistribution('Warnings', '#warnings')
const since = '1.1' as const
const none = 'no answer of a day of a client carries a Warning'

/** `answers`: those that carry a Warning, and there is at least one. */
const test = base.extend('answers', async ({ registry, manifest, blob, skip }) => {
  const found = await answersThatWarn(registry, manifest, blob)
  skip(found.length === 0, none)
  return found
})

describe('Warnings', () => {
  test(
    'oci.warning.code-299',
    must('The warn-code of every Warning is 299.', warnings, { since }),
    ({ answers }) => {
      for (const { code } of answers.flatMap(warningsOf)) expectThat(code === '299', 'warn-code 299', code)
    },
  )

  test(
    'oci.warning.agent-dash',
    must('The warn-agent of every Warning is a hyphen.', warnings, { since }),
    ({ answers }) => {
      for (const { agent } of answers.flatMap(warningsOf)) expectThat(agent === '-', 'warn-agent -', agent)
    },
  )

  test('oci.warning.no-date', must('No Warning has a warn-date.', warnings, { since }), ({ answers }) => {
    for (const { date } of answers.flatMap(warningsOf)) {
      expectThat(date === undefined, 'nothing after the warn-text', date ?? '')
    }
  })

  test(
    'oci.warning.quoted',
    must('The warn-text of every Warning is a quoted string.', rfc(7234)('5.5'), { since }),
    ({ answers }) => {
      for (const { text } of answers.flatMap(warningsOf)) {
        expectThat(/^".*"$/s.test(text), 'warn-text in quotes', text)
      }
    },
  )

  test(
    'oci.warning.total-4096',
    must('The warnings of one answer are at most 4096 bytes together.', warnings, { since }),
    ({ answers }) => {
      for (const answer of answers) {
        const size = answer.headerValues('warning').join('').length
        expectThat(size <= 4096, 'at most 4096 bytes of warnings', `${size} bytes`)
      }
    },
  )
})
