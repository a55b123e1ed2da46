import { expect, test } from 'vitest'
import { reproduce } from '../reproduce.ts'
import { exchange, nasty, type Received, runScript, server } from './replay.test-data.ts'

test.for(['get-basic', 'post-basic', 'post-form', 'post-json'] as const)(
  'asks the token service the way the target wants: %s',
  async (tokenRequest) => {
    const { url, received } = await server(({ url: path }) =>
      path.startsWith('/token')
        ? { status: 200, body: '{"expires_in": 60, "token" : "a.b-c_d"}' }
        : { status: 200 },
    )
    const credentials = {
      kind: 'token',
      account: 'owner',
      scope: 'repository:a:pull registry:catalog:*',
    } as const
    const authorization = [['authorization', 'Bearer [credentials]']] as const
    const script = reproduce(
      [
        exchange({ url: `${url}/v2/a`, headers: authorization, credentials }, {}),
        exchange({ url: `${url}/v2/b`, headers: authorization, credentials }, {}),
      ],
      { realm: `${url}/token`, service: `it's`, tokenRequest, usernames: { owner: `o'w` } },
    )
    await runScript(script, { OWNER_PASSWORD: nasty })
    expect(received).toHaveLength(3)
    const [asked, ...sent] = received
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer a.b-c_d', 'Bearer a.b-c_d'])
    expect(whatWasAsked(asked)).toEqual({
      username: `o'w`,
      password: nasty,
      service: `it's`,
      scope: 'repository:a:pull registry:catalog:*',
    })
  },
)

function whatWasAsked(request: Received | undefined) {
  if (!request) return undefined
  const { headers, url, body } = request
  const parameters = new URLSearchParams(`${url.split('?')[1] ?? ''}&${body}`)
  const inJson = headers['content-type'] === 'application/json' ? JSON.parse(body) : {}
  const basic = Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString()
  const colon = basic.indexOf(':')
  return {
    username: headers.authorization ? basic.slice(0, colon) : parameters.get('username'),
    password: headers.authorization ? basic.slice(colon + 1) : parameters.get('password'),
    service: parameters.get('service'),
    scope: parameters.getAll('scope').join(' '),
    ...inJson,
  }
}

test('names every secret that it needs before it sends anything', async () => {
  const { url, received } = await server(() => ({ status: 200 }))
  const headers = [['authorization', 'Bearer [credentials]']] as const
  const script = reproduce(
    [
      exchange({ url: `${url}/1`, headers, credentials: { kind: 'basic', account: 'owner' } }, {}),
      exchange(
        { url: `${url}/2`, headers, credentials: { kind: 'made', note: `expired "1 h" ago } $(id)` } },
        {},
      ),
      exchange({ url: `${url}/3`, headers }, {}),
      exchange({ url: `${url}/4`, headers: [['authorization', 'Bearer not-a-token']] }, {}),
      exchange({ url: `${url}/5`, headers, credentials: { kind: 'token', account: '7 up', scope: 's' } }, {}),
    ],
    {},
  )
  const secrets: Record<string, string> = {
    OWNER_PASSWORD: nasty,
    MADE_TOKEN: 'made',
    CREDENTIALS_3: 'third',
    ACCOUNT_7_UP_TOKEN: 'seven',
  }
  for (const name of Object.keys(secrets)) {
    const { [name]: _, ...others } = secrets
    await expect(runScript(script, others)).rejects.toMatchObject({
      stderr: expect.stringContaining(`${name}: must be set`),
    })
  }
  expect(received).toHaveLength(0)
  await runScript(script, secrets)
  expect(received.map((request) => request.headers.authorization)).toEqual([
    `Basic ${Buffer.from(`owner:${nasty}`).toString('base64')}`,
    'Bearer made',
    'Bearer third',
    'Bearer not-a-token',
    'Bearer seven',
  ])
})

test('puts secrets back where the recorder took them out, in the way of each format', async () => {
  const { url, received } = await server(() => ({ status: 200 }))
  const post = (type: string, text: string) =>
    exchange(
      { method: 'POST', url: `${url}/token`, headers: [['content-type', type]], body: { size: 99, text } },
      {},
    )
  const script = reproduce(
    [
      post('application/json', '{"username":"owner","password":"[password of owner]"}'),
      post(
        'application/x-www-form-urlencoded',
        'grant_type=password&username=o%26w&password=[password of owner]',
      ),
      exchange({ url: `${url}/?token=x`, headers: [['x-key', '[valid platform token]']] }, {}),
    ],
    {},
  )
  await runScript(script, { OWNER_PASSWORD: nasty, VALID_PLATFORM_TOKEN: 'key' })
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ username: 'owner', password: nasty })
  expect(Object.fromEntries(new URLSearchParams(received[1]?.body))).toEqual({
    grant_type: 'password',
    username: 'o&w',
    password: nasty,
  })
  expect(received[2]?.headers['x-key']).toBe('key')
})
