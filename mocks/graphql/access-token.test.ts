import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { openPlatform, tokens } from './client.contract.ts'
import { startState } from './start.ts'

const create =
  'mutation ($name: String!, $expiresAt: Date) { createPersonalAccessToken(name: $name, expiresAt: $expiresAt) { id token expiresAt } }'
const list = '{ personalAccessTokens { data { id name maskedToken expiresAt lastUsedAt } } }'
const login =
  'mutation ($data: LoginWithPersonalAccessTokenDataInput!) { loginWithPersonalAccessToken(data: $data) }'

test('a created token is shown once, works until it is deleted, and takes its sessions with it', async () => {
  const { clock, data, refusal, ask } = await openPlatform()
  const { createPersonalAccessToken: made } = await data(create, { name: 'laptop' })
  expect(made.token).toMatch(/^af_live_[A-Za-z0-9]{32}$/)
  const now = new Date(clock.now()).toISOString()
  await data('{ __typename }', {}, made.token)
  const { personalAccessTokens } = await data(list)
  expect(personalAccessTokens.data).toContainEqual({
    id: made.id,
    name: 'laptop',
    maskedToken: null,
    expiresAt: null,
    lastUsedAt: now,
  })
  expect(JSON.stringify(personalAccessTokens)).not.toContain(made.token)

  const { loginWithPersonalAccessToken: session } = await data(
    login,
    { data: { personalAccessToken: made.token, projectId: 'prj_x' } },
    '',
  )
  expect(await data('{ me { id } }', {}, session)).toEqual({ me: { id: 'ada' } })
  const remove = 'mutation ($id: ID!) { deletePersonalAccessToken(id: $id) }'
  expect(await refusal(remove, { id: made.id }, tokens.bob)).toBe('NOT_FOUND')
  expect(await data(remove, { id: made.id })).toEqual({ deletePersonalAccessToken: true })
  for (const gone of [made.token, session]) {
    expect(await refusal('{ me { id } }', {}, gone)).toBe('UNAUTHENTICATED')
  }
  const again = await ask(login, { data: { personalAccessToken: made.token } }, '')
  expect(again).toMatchObject({
    data: null,
    errors: [{ extensions: { code: 'UNAUTHORIZED', name: 'UnauthorizedError' } }],
  })
})

test('a token and a session expire by the clock, and no session outlives a reset', async () => {
  const { platform, clock, data, refusal, pass } = await openPlatform()
  const expiresAt = new Date(clock.now() + 3_600_000).toISOString()
  const { createPersonalAccessToken: made } = await data(create, { name: 'ci', expiresAt })
  const open = async (personalAccessToken: string) =>
    (await data(login, { data: { personalAccessToken } }, '')).loginWithPersonalAccessToken
  const session = await open(made.token)
  await pass(7 * 60_000)
  await data('{ __typename }', {}, session)
  await pass(60_000)
  expect(await refusal('{ __typename }', {}, session)).toBe('UNAUTHENTICATED')
  await data('{ __typename }', {}, made.token)
  await pass(52 * 60_000)
  expect(await refusal('{ __typename }', {}, made.token)).toBe('UNAUTHENTICATED')

  const last = await open(tokens.ada)
  platform.reset()
  expect(await refusal('{ __typename }', {}, last)).toBe('UNAUTHENTICATED')
  expect((await data(list)).personalAccessTokens.data).toHaveLength(2)
})

test('tokens have proper names and ends, and there are only so many a day', async () => {
  const { clock, data, refusal, pass } = await openPlatform()
  const at = (ms: number) => new Date(clock.now() + ms).toISOString()
  for (const wrong of [
    { name: '' },
    { name: 'a/b' },
    { name: 'valid' },
    { name: 'x', expiresAt: at(0) },
    { name: 'x', expiresAt: at(11 * 365 * 86_400_000) },
    { name: 'x', expiresAt: 'tomorrow' },
  ]) {
    expect(await refusal(create, wrong)).toBe('BAD_USER_INPUT')
  }
  for (let number = 0; number < 50; number++) await data(create, { name: `token ${number}` })
  expect(await refusal(create, { name: 'one more' })).toBe('RATE_LIMIT_EXCEEDED')
  const limit = '{ apiKeyRateLimit { remaining limit resetAt activeTokens maxActiveTokens } }'
  expect((await data(limit)).apiKeyRateLimit).toEqual({
    remaining: 0,
    limit: 50,
    resetAt: '2030-01-16T00:00:00.000Z',
    activeTokens: 51,
    maxActiveTokens: 500,
  })
  await pass(12 * 3_600_000)
  await data(create, { name: 'one more' })
})

test('no state holds the text of a token', async () => {
  const { clock } = await openPlatform()
  const state = startState({ clock, tokens: [{ token: tokens.ada, user: 'ada', state: 'valid' }] })
  expect(inspect(state.tokens.of('ada'), { depth: null })).not.toContain(tokens.ada)
})
