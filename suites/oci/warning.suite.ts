import { describe } from 'vitest'
import { expectThat } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { ociDistribution, rfc } from '../specifications.ts'
import { test } from './existing.ts'
import { answersThatWarn, warningsOf } from './warning-header.ts'

const warnings = ociDistribution('Warnings', '#warnings')
const since = '1.1' as const
const none = 'no answer of a day of a client carries a Warning'

describe('Warnings', () => {
  test(
    'oci.warning.code-299',
    must('The warn-code of every Warning is 299.', warnings, { since }),
    async ({ client, manifest, skip }) => {
      const answers = await answersThatWarn(client, manifest)
      skip(answers.length === 0, none)
      for (const { code } of answers.flatMap(warningsOf)) expectThat(code === '299', 'warn-code 299', code)
    },
  )

  test(
    'oci.warning.agent-dash',
    must('The warn-agent of every Warning is a hyphen.', warnings, { since }),
    async ({ client, manifest, skip }) => {
      const answers = await answersThatWarn(client, manifest)
      skip(answers.length === 0, none)
      for (const { agent } of answers.flatMap(warningsOf)) expectThat(agent === '-', 'warn-agent -', agent)
    },
  )

  test(
    'oci.warning.no-date',
    must('No Warning has a warn-date.', warnings, { since }),
    async ({ client, manifest, skip }) => {
      const answers = await answersThatWarn(client, manifest)
      skip(answers.length === 0, none)
      for (const { date } of answers.flatMap(warningsOf)) {
        expectThat(date === undefined, 'nothing after the warn-text', date ?? '')
      }
    },
  )

  test(
    'oci.warning.quoted',
    must('The warn-text of every Warning is a quoted string.', rfc(7234)('5.5'), { since }),
    async ({ client, manifest, skip }) => {
      const answers = await answersThatWarn(client, manifest)
      skip(answers.length === 0, none)
      for (const { text } of answers.flatMap(warningsOf)) {
        expectThat(/^".*"$/s.test(text), 'warn-text in quotes', text)
      }
    },
  )

  test(
    'oci.warning.total-4096',
    must('The warnings of one answer are at most 4096 bytes together.', warnings, { since }),
    async ({ client, manifest, skip }) => {
      const answers = await answersThatWarn(client, manifest)
      skip(answers.length === 0, none)
      for (const answer of answers) {
        const size = answer.headerValues('warning').join('').length
        expectThat(size <= 4096, 'at most 4096 bytes of warnings', `${size} bytes`)
      }
    },
  )
})
