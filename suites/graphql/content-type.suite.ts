import { describe } from 'vitest'
import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import { may, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { test } from '../platform.ts'
import { graphqlOverHttp } from '../specifications.ts'
import { expectNotServed, isRefused, projectsIn } from './answers.ts'
import { needList } from './steps.ts'

const needs = ['token.valid'] as const
const post = graphqlOverHttp('POST', '#sec-POST')
const boundary = 'assay-boundary'

const part = (name: string, text: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`

/** The list of projects, asked for in the ways of an HTML form. */
const forms: readonly (readonly [type: string, body: string])[] = [
  ['application/x-www-form-urlencoded', new URLSearchParams({ query: projectList.query }).toString()],
  [
    `multipart/form-data; boundary=${boundary}`,
    `${part('operations', JSON.stringify(projectList))}${part('map', '{}')}--${boundary}--\r\n`,
  ],
]

describe('Media types of requests', () => {
  test(
    'graphql.content-type.text',
    should('A body that is text/plain or has no media type is not executed: any page could send it', post, {
      needs,
    }),
    async ({ platform }) => {
      needList(await platform.post(projectList))
      const body = JSON.stringify(projectList)
      const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
        ['text/plain', { 'content-type': 'text/plain' }],
        ['text/plain;charset=UTF-8', { 'content-type': 'text/plain;charset=UTF-8' }],
        ['no Content-Type', {}],
      ]
      await eachCase(cases, async (headers) =>
        expectNotServed(await platform.request('POST', '', { headers }, body)),
      )
    },
  )

  test(
    'graphql.content-type.form',
    may('Forms are served like JSON where they are served, and never for a cookie alone', post, { needs }),
    async ({ platform, skip }) => {
      const send = (type: string, body: string) => platform.send(body, { headers: { 'content-type': type } })
      const answers = await Promise.all(forms.map(([type, body]) => send(type, body)))
      skip(answers.every(isRefused), 'forms are refused')
      for (const answer of answers.filter((each) => !isRefused(each))) projectsIn(answer)
      const secret = platform.target.tokens?.valid ?? ''
      for (const [type, body] of forms) {
        const headers = { 'content-type': type, cookie: `token=${secret}; session=${secret}` }
        expectNotServed(await platform.send(body, { token: 'none', headers }))
      }
    },
  )
})
