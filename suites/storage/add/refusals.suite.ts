import { describe } from 'vitest'
import { literal } from '../../../fixtures/content.ts'
import { expectThat } from '../../../harness/finding.ts'
import type { RequestOptions } from '../../../harness/http.ts'
import { should } from '../../../harness/requirement.ts'
import { eachCase } from '../../each-case.ts'
import { boundary, form } from '../../multipart.ts'
import { test } from '../node.ts'
import { api, command } from '../sources.ts'
import { endsInError, postOnWire } from '../wire.ts'

const needs = ['storage'] as const
const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

describe('Forms that are no upload', () => {
  test(
    'storage.add.no-file',
    should('A request without a file in a form is refused and yields no CID', api, { needs }),
    async ({ storage, http, content }) => {
      const cases: readonly (readonly [string, RequestOptions])[] = [
        ['no body', {}],
        ['bare bytes', { headers: { 'content-type': 'application/octet-stream' }, body: content.bytes(100) }],
        ['a form without parts', { headers: formType, body: literal(`--${boundary}--\r\n`) }],
      ]
      await eachCase(cases, async (options) => {
        const { status } = await http.request('POST', `${storage.url}/api/v0/add`, options)
        expectThat(status >= 400, 'an error status', String(status))
      })
    },
  )

  test(
    'storage.add.truncated',
    should('A form that ends before its closing boundary is not passed off as a success', command('add'), {
      needs,
    }),
    async ({ storage, session, content }) => {
      const { headers, body } = form(content.bytes(5000))
      const cut = body.slice(0, 3000)
      const answer = await postOnWire(session, `${storage.url}/api/v0/add`, headers, cut.bytes)
      const told = /^HTTP\/1\.[01] ([0-9]{3})/.exec(answer)?.[1] ?? 'no answer'
      const failed = told === 'no answer' || Number(told) >= 400 || endsInError(answer)
      expectThat(
        failed,
        'an error status, a trailer X-Stream-Error or a broken answer',
        `${told} without either`,
      )
    },
  )
})
