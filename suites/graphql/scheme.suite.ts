import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import { should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { type Asking, test } from '../platform.ts'
import { theService } from '../specifications.ts'
import { expectNotServed, projectsIn } from './answers.ts'

test(
  'graphql.scheme',
  should(
    'A token counts as a Bearer token alone, not as Basic, in the URL, the body or a cookie',
    theService('Platform authentication', '#platform-authentication'),
    { needs: ['token.valid'] },
  ),
  async ({ platform }) => {
    projectsIn(await platform.post(projectList))
    const token = platform.target.tokens?.valid ?? ''
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    const elsewhere = [
      ['Basic, as password', basic(`token:${token}`)],
      ['Basic, as username', basic(`${token}:`)],
      ['Basic, as it is', `Basic ${token}`],
      ['Token', `Token ${token}`],
      ['without a scheme', token],
    ] as const
    await eachCase(elsewhere, async (value) => {
      expectNotServed(
        await platform.post(projectList, { token: { value, note: 'the valid token in another scheme' } }),
      )
    })
    const none: Asking = { token: 'none', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ ...projectList, token, access_token: token })
    expectNotServed(await platform.send(body, none))
    expectNotServed(
      await platform.send(body, { ...none, headers: { cookie: `token=${token}; access_token=${token}` } }),
    )
    const parameters = new URLSearchParams({ access_token: token, token })
    expectNotServed(await platform.request('POST', `?${parameters}`, none, JSON.stringify(projectList)))
  },
)
