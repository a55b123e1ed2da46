import { expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import { createPlatform } from './platform.ts'

const valid = 'af_live_valid'
const other = 'af_live_other'
const expired = 'af_live_expired'
const revoked = 'af_live_revoked'

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare what comes, whatever it is
  readonly data: any
  readonly errors?: readonly { message: string; extensions: { code: string } }[]
}

const platform = await createPlatform({
  clock: createClock(),
  tokens: [
    { token: valid, user: 'ada', state: 'valid' },
    { token: other, user: 'bob', state: 'valid' },
    { token: expired, user: 'ada', state: 'expired' },
    { token: revoked, user: 'ada', state: 'revoked' },
  ],
})

const url = 'http://localhost/graphql'
const send = (request: Request) => platform.handle(request, {})

function post(body: unknown, headers: Record<string, string> = {}, token: string | undefined = valid) {
  return new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function ask(query: string, variables?: object, token = valid): Promise<Answer> {
  const response = await send(post({ query, variables }, {}, token))
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

const refusal = {
  data: null,
  errors: [
    expect.objectContaining({ message: 'Not authenticated', extensions: { code: 'UNAUTHENTICATED' } }),
  ],
}

const names = async (token: string) => {
  const { data } = await ask('{ projects { data { name } } }', {}, token)
  return data.projects.data.map(({ name }: { name: string }) => name)
}

test('a created project is listed for its user only, takes a new name, and is gone once deleted', async () => {
  const create = 'mutation ($name: String!) { createProject(data: { name: $name }) { id slug } }'
  const first = await ask(create, { name: 'Störung & Co' })
  const second = await ask(create, { name: 'storung co' })
  expect(first.data).toMatchObject({ createProject: { slug: 'storung-co' } })
  expect(second.data).toMatchObject({ createProject: { slug: 'storung-co-2' } })
  expect(await names(valid)).toEqual(['Störung & Co', 'storung co'])
  expect(await names(other)).toEqual([])

  const { id } = first.data.createProject
  const foreign = await ask('mutation ($id: ID!) { deleteProject(id: $id) }', { id }, other)
  expect(foreign).toMatchObject({ data: null, errors: [{ extensions: { code: 'UNAUTHORIZED' } }] })
  await ask('mutation ($id: ID!) { updateProject(id: $id, data: { name: "Renamed" }) { id } }', { id })
  expect(await names(valid)).toEqual(['Renamed', 'storung co'])
  expect(await ask('mutation ($id: ID!) { deleteProject(id: $id) }', { id })).toEqual({
    data: { deleteProject: true },
  })
  expect(await names(valid)).toEqual(['storung co'])
  platform.reset()
  expect(await names(valid)).toEqual([])
})

const operations = [
  '{ projects { data { id } } }',
  '{ a: project(id: "x") { id } }',
  '{ __typename }',
  '{ nosuch }',
  '{ broken',
  '{ __schema { types { name } } }',
  'mutation { createProject(data: { name: "x" }) { id } }',
  'mutation { loginWithPersonalAccessToken(data: { personalAccessToken: "x" }) createProject(data: { name: "x" }) { id } }',
  'query { projects { data { id } } } mutation M { loginWithPersonalAccessToken(data: { personalAccessToken: "x" }) }',
]
const credentials = [
  {},
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer unknown' },
  { authorization: `Bearer ${expired}` },
  { authorization: `Bearer ${revoked}` },
  { authorization: `Bearer ${valid} x` },
  { authorization: `Bearer ${valid.slice(0, -1)}` },
  { authorization: `Basic ${valid}` },
  { authorization: valid },
]

test('without a live token every operation gets the one answer, before anything is run', async () => {
  for (const query of operations) {
    for (const headers of credentials) {
      const response = await send(post({ query }, headers, ''))
      expect([response.status, await response.json()]).toEqual([200, refusal])
    }
  }
  expect(await names(valid)).toEqual([])
})

test('the session of the SDK login works until its token is revoked or eight minutes are over', async () => {
  const clock = createClock()
  const start = clock.now()
  const { handle } = await createPlatform({ clock, tokens: [{ token: valid, user: 'ada', state: 'valid' }] })
  const query =
    'mutation ($v1:LoginWithPersonalAccessTokenDataInput!){loginWithPersonalAccessToken(data:$v1)}'
  const variables = { v1: { personalAccessToken: valid } }
  const form = new FormData()
  form.set('operations', JSON.stringify({ query, variables }))
  form.set('map', '{}')
  const login = await handle(new Request(url, { method: 'POST', body: form }), {})
  const { data } = (await login.json()) as Answer
  const session = data.loginWithPersonalAccessToken
  const use = async () => (await handle(post({ query: '{ __typename }' }, {}, session), {})).json()
  await clock.set(start + 7 * 60_000)
  expect(await use()).toEqual({ data: { __typename: 'Query' } })
  await clock.set(start + 9 * 60_000)
  expect(await use()).toEqual(refusal)

  const wrong = await handle(post({ query, variables: { v1: { personalAccessToken: 'x' } } }, {}, ''), {})
  expect(await wrong.json()).toMatchObject({
    data: null,
    errors: [{ extensions: { code: 'UNAUTHORIZED', name: 'UnauthorizedError' } }],
  })
})

const faulty: readonly unknown[] = [
  '',
  '{',
  'null',
  '5',
  [],
  [{ query: '{ __typename }' }, { query: '{ __typename }' }],
  {},
  { query: '' },
  { query: null },
  { query: 5 },
  { query: [] },
  { query: '{ __typename }', variables: [] },
  { query: '{ __typename }', variables: 'x' },
  { query: '{ __typename }', operationName: 5 },
  { query: '{ __typename }', operationName: 'nosuch' },
  { query: 'query A { __typename } query B { __typename }' },
  { query: 'query ($id: ID!) { project(id: $id) { id } }' },
  { query: 'query ($id: ID!) { project(id: $id) { id } }', variables: { id: null } },
  { query: 'query ($a: Boolean!) { projects @include(if: $a) { data { id } } }', variables: { a: 'true' } },
  { query: '{ projects { data { id } } nosuch }' },
  { query: '{ projects { nosuch } }' },
  { query: '{ projects { data { nam } } }' },
  { query: '{ project(idd: "x") { id } }' },
  { query: '{ a: __schema { types { name } } }' },
  { query: 'query { ...f } fragment f on Query { __type(name: "Project") { name } }' },
  { query: 'subscription { x }' },
  { query: 'fragment a on Query { ...b } fragment b on Query { ...a } { ...a }' },
  { query: `{ projects { data { id } } }`.padEnd(5 * 1024 * 1024) },
]

test('every error is HTTP 200 with errors and data null, whatever the Accept header', async () => {
  for (const body of faulty) {
    for (const accept of ['application/json', '*/*', 'application/graphql-response+json', 'text/html']) {
      const response = await send(post(body, { accept }))
      const text = await response.text()
      expect([response.status, JSON.parse(text)]).toEqual([
        200,
        {
          data: null,
          errors: expect.arrayContaining([expect.objectContaining({ message: expect.any(String) })]),
        },
      ])
      expect(text).not.toMatch(/Did you mean|node_modules|\.ts:|Unexpected error/)
      const type = accept === 'application/graphql-response+json' ? accept : 'application/json'
      expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    }
  }
})

test('a secret in a variable of the wrong form is not repeated', async () => {
  const query =
    'mutation ($v: LoginWithPersonalAccessTokenDataInput!) { loginWithPersonalAccessToken(data: $v) }'
  for (const v of [valid, [valid], { personalAccessToken: [valid] }]) {
    expect(JSON.stringify(await ask(query, { v }))).not.toContain(valid)
  }
  expect(JSON.stringify(await ask(query.replace('$v)', `"${valid}")`)))).not.toContain(valid)
})

test('GET answers queries and never runs a mutation; other methods and media types are refused', async () => {
  const headers = { authorization: `Bearer ${valid}` }
  const get = (query: string) => new Request(`${url}?query=${encodeURIComponent(query)}`, { headers })
  const read = await send(get('{ __typename }'))
  expect(await read.json()).toEqual({ data: { __typename: 'Query' } })
  const write = await send(get('mutation { createProject(data: { name: "x" }) { id } }'))
  expect([write.status, write.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await names(valid)).toEqual([])
  const body = JSON.stringify({ query: '{ __typename }' })
  const put = await send(new Request(url, { method: 'PUT', headers, body }))
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST'])
  const text = await send(new Request(url, { method: 'POST', headers, body }))
  expect([text.status, await text.json()]).toMatchObject([415, { data: null }])
  expect((await send(new Request('http://localhost/'))).status).toBe(404)
})
