import { expect, test } from 'vitest'
import { openPlatform, post, tokens, url } from './client.contract.ts'

const { ada, bob, expired, revoked } = tokens
const { platform, send, ask, data, refusal } = await openPlatform()

const notAuthenticated = {
  data: null,
  errors: [
    expect.objectContaining({ message: 'Not authenticated', extensions: { code: 'UNAUTHENTICATED' } }),
  ],
}

const names = async (token: string) => {
  const { projects } = await data('{ projects { data { name } } }', {}, token)
  return projects.data.map(({ name }: { name: string }) => name)
}

test('a created project is listed for its user only, takes a new name, and is gone once deleted', async () => {
  const create = 'mutation ($name: String!) { createProject(data: { name: $name }) { id slug } }'
  const { createProject: first } = await data(create, { name: 'Störung & Co' })
  const { createProject: second } = await data(create, { name: 'storung co' })
  expect([first.slug, second.slug]).toEqual(['storung-co', 'storung-co-2'])
  expect(await names(ada)).toEqual(['Störung & Co', 'storung co'])
  expect(await names(bob)).toEqual([])

  const { id } = first
  const read = 'query ($id: ID!) { project(id: $id) { name user { id } } }'
  const rename = 'mutation ($id: ID!) { updateProject(id: $id, data: { name: "Renamed" }) { id } }'
  const remove = 'mutation ($id: ID!) { deleteProject(id: $id) }'
  const { data: foreign, errors } = await ask(read, { id }, bob)
  expect([foreign, errors?.[0]?.extensions['code']]).toEqual([{ project: null }, 'UNAUTHORIZED'])
  expect(await refusal(rename, { id }, bob)).toBe('UNAUTHORIZED')
  expect(await refusal(remove, { id }, bob)).toBe('UNAUTHORIZED')
  await data(rename, { id })
  expect(await data(read, { id })).toEqual({ project: { name: 'Renamed', user: { id: 'ada' } } })
  expect(await data(remove, { id })).toEqual({ deleteProject: true })
  expect(await data(read, { id })).toEqual({ project: null })
  expect(await refusal(remove, { id })).toBe('NOT_FOUND')
  expect(await refusal(create, { name: ' ' })).toBe('BAD_USER_INPUT')
  expect(await names(ada)).toEqual(['storung co'])
  for (const start of ['first', 'again']) {
    platform.reset()
    expect(await names(ada)).toEqual([])
    await data(create, { name: start })
  }
  platform.reset()
})

const operations = [
  '{ projects { data { id } } }',
  '{ a: project(id: "x") { id } }',
  '{ templates { id } }',
  '{ __typename }',
  '{ nosuch }',
  '{ broken',
  '{ __schema { types { name } } }',
  'mutation { createProject(data: { name: "x" }) { id } }',
  'mutation { loginWithPersonalAccessToken(data: { personalAccessToken: "x" }) createProject(data: { name: "x" }) { id } }',
  'mutation { ...f } fragment f on Mutation { createProject(data: { name: "x" }) { id } }',
  'query { projects { data { id } } } mutation M { loginWithPersonalAccessToken(data: { personalAccessToken: "x" }) }',
]
const credentials = [
  {},
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer unknown' },
  { authorization: `Bearer ${expired}` },
  { authorization: `Bearer ${revoked}` },
  { authorization: `Bearer ${ada} x` },
  { authorization: `Bearer ${ada.slice(0, -1)}` },
  { authorization: `Bearer ${ada}x` },
  { authorization: `Bearer ${ada.toUpperCase()}` },
  { authorization: `Basic ${ada}` },
  { authorization: ada },
  { cookie: `authorization=${ada}` },
]

test('without a live token every operation gets the one answer, before anything is run', async () => {
  for (const query of operations) {
    for (const headers of credentials) {
      const response = await send(post({ query, token: ada }, '', headers))
      expect([response.status, await response.json()]).toEqual([200, notAuthenticated])
    }
  }
  const batch = await send(post([{ query: '{ projects { data { id } } }' }], ''))
  expect(await batch.json()).toEqual(notAuthenticated)
  expect(await names(ada)).toEqual([])
})

test('the scheme of the credential is read without regard to case', async () => {
  for (const scheme of ['bearer', 'BEARER']) {
    const response = await send(post({ query: '{ __typename }' }, '', { authorization: `${scheme} ${ada}` }))
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } })
  }
})

const aProject = { query: 'query ($id: ID!) { project(id: $id) { id } }' }
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
  { query: '{ __typename }', extensions: [] },
  { query: '{ __typename }', operationName: 5 },
  { query: '{ __typename }', operationName: 'nosuch' },
  { query: 'query A { __typename } query B { __typename }' },
  { query: '{ __typename } query B { __typename }', operationName: 'B' },
  aProject,
  { ...aProject, variables: { id: null } },
  { ...aProject, variables: { id: {} } },
  { query: 'query ($a: Boolean!) { projects @include(if: $a) { data { id } } }', variables: { a: 'true' } },
  { query: '{ projects { data { id } } nosuch }' },
  { query: '{ projects { data { nam } } }' },
  { query: '{ project(idd: "x") { id } }' },
  { query: 'mutation { createProject(data: { nam: "x" }) { id } }' },
  { query: '{ templates(category: DATABAS) { id } }' },
  { query: 'query ($c: TemplateCategory) { templates(category: $c) { id } }', variables: { c: 'DATABAS' } },
  { query: '{ a: __schema { types { name } } }' },
  { query: 'query { ...f } fragment f on Query { __type(name: "Project") { name } }' },
  { query: 'query ($a: Boolean!) { __schema @include(if: $a) { types { name } } }', variables: { a: false } },
  { query: 'subscription { x }' },
  { query: 'query { ...a } fragment a on Query { ...b } fragment b on Query { ...a }' },
  { query: `{ projects { data { id } } }`.padEnd(5 * 1024 * 1024) },
]

test('every error is HTTP 200 with errors and data null, whatever the Accept header', async () => {
  for (const body of faulty) {
    for (const accept of ['application/json', '*/*', 'application/graphql-response+json', 'text/html']) {
      const response = await send(post(body, ada, { accept }))
      const text = await response.text()
      expect([response.status, JSON.parse(text)]).toEqual([
        200,
        {
          data: null,
          errors: expect.arrayContaining([
            expect.objectContaining({
              extensions: { code: expect.stringMatching(/^(BAD|GRAPHQL|OPERATION|REQUEST)_/) },
            }),
          ]),
        },
      ])
      expect(text).not.toMatch(/Did you mean|node_modules|\.ts:|Unexpected error/)
      const type = accept === 'application/graphql-response+json' ? accept : 'application/json'
      expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    }
  }
})

test('a secret that comes in the wrong form is not repeated', async () => {
  const login =
    'mutation ($v: LoginWithPersonalAccessTokenDataInput!) { loginWithPersonalAccessToken(data: $v) }'
  for (const v of [ada, [ada], { personalAccessToken: [ada] }]) {
    expect(JSON.stringify(await ask(login, { v }))).not.toContain(ada)
  }
  for (const literal of [
    `"${ada}" "${ada}"`,
    `x: "${ada}"`,
    `"${ada}"`,
    `["${ada}"]`,
    `{ personalAccessToken: ["${ada}"] }`,
  ]) {
    const query = `mutation { loginWithPersonalAccessToken(data: ${literal}) }`
    expect(JSON.stringify(await ask(query))).not.toContain(ada)
  }
})

test('members that the service does not know are ignored, and null counts as absent', async () => {
  const body = { query: '{ __typename }', variables: null, operationName: null, extensions: null, foo: 1 }
  for (const type of ['application/json;charset=UTF-8', 'Application/JSON ; charset=utf-8']) {
    const response = await send(post(body, ada, { 'content-type': type }))
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } })
  }
})

test('form and multipart bodies are served as JSON is, and files are refused', async () => {
  const headers = { authorization: `Bearer ${ada}` }
  const query = 'query ($id: ID!) { a: project(id: $id) { id } }'
  const fields = { query, variables: '{"id":"x"}', operationName: '' }
  const form = await send(new Request(url, { method: 'POST', headers, body: new URLSearchParams(fields) }))
  expect(await form.json()).toEqual({ data: { a: null } })

  const multipart = async (map: string, operations = JSON.stringify({ query, variables: { id: 'x' } })) => {
    const body = new FormData()
    body.set('operations', operations)
    body.set('map', map)
    return (await send(new Request(url, { method: 'POST', headers, body }))).json()
  }
  expect(await multipart('{}')).toEqual({ data: { a: null } })
  const badRequest = { data: null, errors: [{ extensions: { code: 'BAD_REQUEST' } }] }
  expect(await multipart('{"0":["variables.id"]}')).toMatchObject(badRequest)
  expect(await multipart('{')).toMatchObject(badRequest)
  expect(await multipart('{}', '{')).toMatchObject(badRequest)
  const broken = { 'content-type': 'multipart/form-data; boundary=x' }
  expect(await (await send(post('--x\r\nbroken', ada, broken))).json()).toMatchObject(badRequest)
})

test('GET answers queries and never runs a mutation; other methods and media types are refused', async () => {
  const headers = { authorization: `Bearer ${ada}` }
  const get = (query: string) => send(new Request(`${url}?query=${encodeURIComponent(query)}`, { headers }))
  expect(await (await get('{ __typename }')).json()).toEqual({ data: { __typename: 'Query' } })
  const write = await get('mutation { createProject(data: { name: "x" }) { id } }')
  expect([write.status, write.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await names(ada)).toEqual([])
  const body = JSON.stringify({ query: '{ __typename }' })
  const put = await send(new Request(url, { method: 'PUT', headers, body }))
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST'])
  const text = await send(new Request(url, { method: 'POST', headers, body }))
  expect([text.status, await text.json()]).toMatchObject([415, { data: null }])
  expect((await send(new Request('http://localhost/'))).status).toBe(404)
  const health = await send(new Request(`${url}?x=/health`, { headers }))
  expect(await health.json()).toMatchObject({ data: null, errors: [{}] })
})

test('pages of this machine may call the API, pages of other origins may not', async () => {
  const preflight = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    return (await send(new Request(url, { method: 'OPTIONS', headers }))).headers.get(
      'access-control-allow-origin',
    )
  }
  expect(await preflight('http://localhost:3000')).toBe('http://localhost:3000')
  expect(await preflight('https://evil.example')).toBeNull()
  expect(await preflight('http://localhost.evil.example')).toBeNull()
})
