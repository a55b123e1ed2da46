import { auditServer } from 'graphql-http'
import { expect, test } from 'vitest'
import { openPlatform, tokens, url } from './client.contract.ts'

// Some audits read the schema, only to have a field that takes an argument; the specification switches that off.
const onProjects = (text: string) =>
  text.replace(
    'query Type($name: String!) { __type(name: $name) { name } }',
    'query ($name: ID!) { project(id: $name) { id } }',
  )

/** What GraphQL over HTTP would have otherwise: the status of an error, and `data` absent where it is null here. */
const warnings = [
  'BCF8 SHOULD use 400 status code on JSON parsing failure when accepting application/json',
  'B7N8 SHOULD use 400 status code on JSON parsing failure when accepting application/graphql-response+json',
  '865D SHOULD use 4xx or 5xx status codes on document parsing failure when accepting application/graphql-response+json',
  '556A SHOULD use 400 status code on document parsing failure when accepting application/graphql-response+json',
  'D586 SHOULD not contain the data entry on document parsing failure when accepting application/graphql-response+json',
  '51FE SHOULD use 4xx or 5xx status codes on document validation failure when accepting application/graphql-response+json',
  '74FF SHOULD use 400 status code on document validation failure when accepting application/graphql-response+json',
  '5E5B SHOULD not contain the data entry on document validation failure when accepting application/graphql-response+json',
  '86EE SHOULD use a status code of 400 on variable coercion failure when accepting application/graphql-response+json',
]

test('the audits of graphql-http find nothing but what the specification rules otherwise', async () => {
  const { send } = await openPlatform()
  const results = await auditServer({
    url,
    fetchFn: (input: string, { body, ...init }: RequestInit = {}) => {
      const target = new URL(input)
      for (const [name, value] of target.searchParams) target.searchParams.set(name, onProjects(value))
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${tokens.ada}`)
      const text = typeof body === 'string' ? { body: onProjects(body) } : {}
      return send(new Request(target, { ...init, ...text, headers }))
    },
  })
  const named = (status: string) =>
    results.filter((result) => result.status === status).map(({ id, name }) => `${id} ${name}`)
  expect(results).toHaveLength(61)
  expect(named('error')).toEqual([])
  expect(named('warn')).toEqual(warnings)
  // What a server MAY do, it MAY leave.
  expect(named('notice').filter((name) => !name.includes(' MAY use 4'))).toEqual([])
})
