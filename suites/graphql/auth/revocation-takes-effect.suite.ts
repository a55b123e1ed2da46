import { setTimeout as pause } from 'node:timers/promises'
import { projects as projectList } from '../../../fixtures/graphql-documents.ts'
import type { Answer } from '../../../harness/answer.ts'
import { Finding } from '../../../harness/finding.ts'
import { should } from '../../../harness/requirement.ts'
import type { Platform } from '../../platform.ts'
import { theService } from '../../specifications.ts'
import { isObject, isRefused, jsonOf } from '../answers.ts'
import { test } from '../projects-fixtures.ts'
import { needList } from '../steps.ts'
import { bearer } from './tokens.ts'

const longestWaitSeconds = 60
const pauseMs = 1000

test(
  'graphql.auth.revocation-takes-effect',
  should(
    'A token that is revoked stops working within a minute',
    theService('Platform authentication', '#platform-authentication'),
    { needs: ['token.valid', 'allow.mutations'] },
  ),
  async ({ platform, projects, session, skip }) => {
    const name = projects.name('token')
    const made = fieldOf(
      await platform.post({
        query: 'mutation ($name: String!) { createPersonalAccessToken(name: $name) { id token } }',
        variables: { name },
      }),
      'createPersonalAccessToken',
    )
    const { id, token } = isObject(made) ? made : {}
    if (typeof id !== 'string' || typeof token !== 'string') return skip('the platform API creates no token')
    session.redactor.add(token, 'created platform token')
    const created = { token: bearer(token, 'a personal access token that the run created') }
    const used = await platform.post(projectList, created)
    const revoked = await platform.post({
      query: 'mutation ($id: ID!) { deletePersonalAccessToken(id: $id) }',
      variables: { id },
    })
    needList(used)
    if (isRefused(revoked)) return skip('the platform API revokes no token')
    await untilRefused(platform, created)
  },
)

function fieldOf(answer: Answer, name: string): unknown {
  const body = jsonOf(answer)
  const data = isObject(body) ? body['data'] : undefined
  return isObject(data) ? data[name] : undefined
}

async function untilRefused(platform: Platform, asking: { token: { value: string; note: string } }) {
  const deadline = performance.now() + longestWaitSeconds * 1000
  while (!isRefused(await platform.post(projectList, asking))) {
    if (performance.now() > deadline) {
      throw new Finding(
        `a refusal within ${longestWaitSeconds} s`,
        'the projects, for a token that was revoked',
      )
    }
    await pause(pauseMs)
  }
}
