import { expect, test } from 'vitest'
import { observed } from './observed.test-support.ts'
import { platformWrites } from './platform-writes.ts'

const url = 'http://api.example/graphql'
const journal = () => observed(platformWrites({ url, tokens: { valid: 'secret-token' } }))
const document = 'mutation ($name: String!) { createProject(data: { name: $name }) { id name } }'
const body = JSON.stringify({ query: document, variables: { name: 'assay-x' } })

test('a project is noted by name before it is sent, and by id when it is made', async () => {
  const { tell, events } = journal()
  const headers = { authorization: 'Bearer secret-token' }
  const named = { kind: 'project', name: 'assay-x', by: 'valid' }
  expect(await tell({ method: 'POST', url, body, headers })).toEqual([named])
  const other = journal()
  const text = '{"data":{"createProject":{"id":"p-1","name":"assay-x"}}}'
  expect(await other.tell({ method: 'POST', url, body, headers, status: 200, text })).toEqual([
    { ...named, id: 'p-1' },
  ])
  expect(JSON.stringify([events, other.events])).not.toContain('secret')
})

test.for([
  [
    'in the document',
    { method: 'POST', body: JSON.stringify({ query: document.replace('$name }', '"assay-x" }') }) },
  ],
  [
    'behind the URL',
    {
      method: 'GET',
      search: `?${new URLSearchParams({ query: document, variables: '{"name":"assay-x"}' })}`,
    },
  ],
  [
    'in a form',
    {
      method: 'POST',
      body: `--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${body}\r\n--b--`,
    },
  ],
] as const)(
  'a name is found %s',
  async ([_, { search = '', ...request }]: readonly [
    string,
    { method: string; body?: string; search?: string },
  ]) => {
    expect(await journal().tell({ ...request, url: `${url}${search}` })).toContainEqual({
      kind: 'project',
      name: 'assay-x',
    })
  },
)

test('an access token is noted by name, and reading makes nothing', async () => {
  const { tell } = journal()
  expect(
    await tell({ method: 'POST', url, body: '{"query":"{ projects { data { id name } } }"}', status: 200 }),
  ).toEqual([])
  const query = 'mutation ($name: String!) { createPersonalAccessToken(name: $name) { id token } }'
  const text = '{"data":{"createPersonalAccessToken":{"id":"t","token":"made-secret"}}}'
  const made = await tell({
    method: 'POST',
    url,
    body: JSON.stringify({ query, variables: { name: 'n' } }),
    status: 200,
    text,
  })
  expect(made).toEqual([{ kind: 'access-token', name: 'n' }])
})
