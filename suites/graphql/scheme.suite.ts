import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import { should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { type Asking, test } from '../platform.ts'
import { theService } from '../specifications.ts'
import { expectNotServed } from './answers.ts'
import { needList } from './steps.ts'

test(
  'graphql.scheme',
  should(
    'A token counts as a Bearer token alone, not as Basic, in the URL, the body or a cookie',
    theService('Platform authentication', '#platform-authentication'),
    { needs: ['token.valid'] },
  ),
  async ({ platform }) => {
    needList(await platform.post(projectList))
    const token = platform.target.tokens?.valid ?? ''
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    const headers = [
      ['Basic, as password', basic(`token:${token}`)],
      ['Basic, as username', basic(`${token}:`)],
      ['Basic, as it is', `Basic ${token}`],
      ['Token', `Token ${token}`],
      ['without a scheme', token],
    ] as const
    const none: Asking = { token: 'none', headers: { 'content-type': 'application/json' } }
    const cookie = { 'content-type': 'application/json', cookie: `token=${token}; access_token=${token}` }
    const parameters = new URLSearchParams({ access_token: token, token })
    const plain = JSON.stringify(projectList)
    const cases = [
      ...headers.map(([name, value]) => {
        const authorization = { value, note: 'the valid token in another scheme' }
        return [name, () => platform.post(projectList, { token: authorization })] as const
      }),
      ['in the body', () => platform.post({ ...projectList, token, access_token: token }, none)] as const,
      ['in a cookie', () => platform.send(plain, { ...none, headers: cookie })] as const,
      ['in the URL', () => platform.request('POST', `?${parameters}`, none, plain)] as const,
    ]
    await eachCase(cases, async (ask) => expectNotServed(await ask()))
  },
)
