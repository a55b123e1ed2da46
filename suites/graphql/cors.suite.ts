import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import type { Answer } from '../../harness/answer.ts'
import { expectThat } from '../../harness/finding.ts'
import { should } from '../../harness/requirement.ts'
import { test } from '../platform.ts'
import { fetchStandard } from '../specifications.ts'
import { needBody } from './steps.ts'

const origin = 'https://evil.example'

test(
  'graphql.cors.credentials',
  should(
    'No foreign origin is told that it may send credentials',
    fetchStandard('CORS protocol', '#http-cors-protocol'),
  ),
  async ({ platform }) => {
    const posted = await platform.post(projectList, { token: 'none', headers: { origin } })
    needBody(posted)
    const preflight = await platform.request('OPTIONS', '', {
      token: 'none',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    for (const answer of [posted, preflight]) expectNoCredentials(answer)
  },
)

function expectNoCredentials(answer: Answer): void {
  const allowed = answer.header('access-control-allow-origin')
  const credentials = answer.header('access-control-allow-credentials')
  const given = (allowed === '*' || allowed === origin) && credentials?.trim() === 'true'
  expectThat(
    !given,
    `no credentials for ${origin} on ${answer.method}`,
    `Access-Control-Allow-Origin: ${allowed}, Access-Control-Allow-Credentials: ${credentials}`,
  )
}
