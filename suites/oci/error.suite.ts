import { describe } from 'vitest'
import type { Answer } from '../../harness/answer.ts'
import { expectHeader, expectThat } from '../../harness/finding.ts'
import { may, must, should } from '../../harness/requirement.ts'
import { ociDistribution, rfc } from '../specifications.ts'
import { errorsOf, expectErrorShape, jsonOf } from './error-body.ts'
import { test as base } from './existing.ts'
import { leaks } from './leaks.ts'
import { provokeRefusals } from './refusals.ts'
import { throttled } from './throttling.ts'

const errors = ociDistribution('Error Codes', '#error-codes')

const registered = [
  'BLOB_UNKNOWN',
  'BLOB_UPLOAD_INVALID',
  'BLOB_UPLOAD_UNKNOWN',
  'DIGEST_INVALID',
  'MANIFEST_BLOB_UNKNOWN',
  'MANIFEST_INVALID',
  'MANIFEST_UNKNOWN',
  'NAME_INVALID',
  'NAME_UNKNOWN',
  'SIZE_INVALID',
  'UNAUTHORIZED',
  'DENIED',
  'UNSUPPORTED',
  'TOOMANYREQUESTS',
  // Of the Docker API before, and still allowed.
  'TAG_INVALID',
  'MANIFEST_UNVERIFIED',
]

/** `refusals`: what the registry refused (4xx); `inJson`: those with a JSON body, and there is at least one. */
const test = base
  .extend('refusals', ({ registry, manifest, blob, run: { capabilities } }) =>
    provokeRefusals({ registry, manifest, blob, capabilities }),
  )
  .extend('inJson', ({ refusals, skip }): readonly Answer[] => {
    const found = refusals.filter((answer) => jsonOf(answer) !== undefined)
    skip(found.length === 0, 'no refusal has a JSON body')
    return found
  })

const on = ({ method, url, status }: Answer) => `${method} ${new URL(url).pathname} (${status})`

describe('Error bodies', () => {
  test(
    'oci.error.json-shape',
    must(
      'The JSON body of a refusal is an object with a non-empty array errors of objects that have a code.',
      errors,
    ),
    async ({ inJson }) => {
      for (const answer of inJson) expectErrorShape(answer)
    },
  )

  test(
    'oci.error.content-type',
    should('The JSON body of a refusal goes under application/json.', errors),
    async ({ inJson }) => {
      for (const answer of inJson) expectHeader(answer, 'content-type', /^application\/json\s*(;|$)/i)
    },
  )

  test(
    'oci.error.code-format',
    must('The code of an error is made of capital letters and underscores.', errors),
    async ({ inJson }) => {
      for (const answer of inJson) {
        for (const { code } of errorsOf(answer)) {
          expectThat(/^[A-Z_]+$/.test(String(code)), `a code of A to Z and _ on ${on(answer)}`, String(code))
        }
      }
    },
  )

  test(
    'oci.error.code-registered',
    must('The code of an error is one of those that the specification lists.', errors),
    async ({ inJson }) => {
      for (const answer of inJson) {
        for (const { code } of errorsOf(answer)) {
          expectThat(registered.includes(String(code)), `a code of the list on ${on(answer)}`, String(code))
        }
      }
    },
  )

  test(
    'oci.error.message',
    should('The message of an error, where it has one, is a string.', errors),
    async ({ inJson, skip }) => {
      const told = inJson.flatMap((answer) =>
        errorsOf(answer).flatMap((error) =>
          'message' in error ? [{ answer, message: error['message'] }] : [],
        ),
      )
      skip(told.length === 0, 'no error has a message')
      for (const { answer, message } of told) {
        expectThat(
          typeof message === 'string',
          `a string as message on ${on(answer)}`,
          JSON.stringify(message),
        )
      }
    },
  )

  test(
    'oci.error.detail',
    may('The detail of an error may be any JSON, and leaves the rest of the body as it has to be.', errors),
    async ({ inJson, skip }) => {
      const detailed = inJson.filter((answer) => /"detail"\s*:/.test(answer.text()))
      skip(detailed.length === 0, 'no error has a detail')
      for (const answer of detailed) expectErrorShape(answer)
    },
  )

  test(
    'oci.error.no-secrets',
    should(
      'Refusals repeat no credentials, and show no stack trace and no internal address.',
      rfc(6750)('5.3'),
    ),
    async ({ refusals, registry, client, repository, run }) => {
      const scopes = [`repository:${repository}:pull,push`]
      const token =
        run.access.scheme === 'bearer' && client.account !== 'anonymous'
          ? await client.token(scopes)
          : undefined
      for (const answer of refusals) {
        const [leak] = leaks(answer.text(), registry.target, token)
        expectThat(leak === undefined, `nothing internal in the body of ${on(answer)}`, leak ?? '')
      }
    },
  )

  test(
    'oci.error.429.retry-after',
    should('A 429 tells in Retry-After when to come again, in seconds or as a date.', errors),
    async ({ registry, blob, skip }) => {
      const answers = await throttled(registry, blob)
      skip(answers.length === 0, 'no request was answered with 429')
      for (const answer of answers) {
        expectHeader(answer, 'retry-after', /^(\d+|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT)$/)
      }
    },
  )
})
