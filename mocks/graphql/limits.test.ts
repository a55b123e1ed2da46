import { expect, test } from 'vitest'
import { openPlatform } from './client.contract.ts'

const { ask, data } = await openPlatform({ extensions: ['compat'] })

/** What the answer says about the limit that was passed. */
async function limitPassed(query: string, client = { ask }) {
  const { data: nothing, errors } = await client.ask(query)
  expect(nothing).toBeNull()
  return errors?.[0]?.extensions
}

const code = 'GRAPHQL_VALIDATION_FAILED'
const leading = (depth: number) =>
  `{ projects { data { ${'user { projects { '.repeat(depth)} id ${'} } '.repeat(depth)} } } }`

// The figures are those that the public service was measured with, for the documents of its clients.
const measured: readonly (readonly [number, string])[] = [
  [42, '{ projects { data { id name } } }'],
  [
    1330,
    '{ templates { id name description category tags dockerImage serviceType resources { cpu memory storage } ports { port as global } envVars { key default description required } } }',
  ],
  [
    2070,
    '{ serviceRegistry(projectId: "x") { id type name slug templateId dockerImage containerPort activeAkashDeployment { id status } activePhalaDeployment { id status } envVars { id key value } ports { id containerPort publicPort protocol } linksFrom { id targetServiceId } linksTo { id sourceServiceId } } }',
  ],
  [3442, leading(2)],
  [34_442, leading(3)],
]

test('a document counts for as much as on the public service', async () => {
  const client = await openPlatform({ extensions: ['compat'], limits: { complexity: 1 } })
  for (const [actual, query] of measured) {
    expect(await limitPassed(query, client)).toEqual({ code, limit: 'complexity', allowed: 1, actual })
  }
})

test('15000 is the most that a document may count, in fragments as well', async () => {
  const aliases = (count: number) =>
    Array.from({ length: count }, (_, index) => `a${index}: projects { data { id name } }`).join(' ')
  const open = { limits: { aliases: 10_000, tokens: 100_000 } }
  const client = await openPlatform(open)
  await client.data(`{ ${aliases(357)} }`)
  const over = { code, limit: 'complexity', allowed: 15_000, actual: 358 * 42 }
  expect(await limitPassed(`{ ${aliases(358)} }`, client)).toEqual(over)
  expect(await limitPassed(`{ ...f } fragment f on Query { ${aliases(358)} }`, client)).toEqual(over)
  const twice = `query { ...f ...g } fragment f on Query { ...g } fragment g on Query { ${aliases(179)} }`
  expect(await limitPassed(twice, client)).toEqual(over)
  expect(await limitPassed(`{ ... @include(if: false) { ${aliases(358)} } }`, client)).toEqual(over)
})

test('ten objects inside each other are let through, eleven are not', async () => {
  const client = await openPlatform({ limits: { complexity: 1e15 } })
  await client.data(leading(4))
  expect(await limitPassed(leading(5), client)).toEqual({ code, limit: 'depth', allowed: 10, actual: 12 })
  const hidden = `{ projects { ...f } } fragment f on ProjectList { data { ${'user { projects { '.repeat(5)} id ${'} } '.repeat(5)} } }`
  expect(await limitPassed(hidden, client)).toMatchObject({ limit: 'depth', actual: 12 })
})

test('aliases are limited, what fragments repeat included', async () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ')
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: id`).join(' ')
  await data(`{ ${names(500)} }`)
  await data(`{ projects { data { ${fields(200)} } } }`)
  expect(await limitPassed(`{ projects { data { ${fields(201)} } } }`)).toMatchObject({
    limit: 'aliases',
    actual: 201,
  })
})

const fragmentBomb = `{ ...f0 } ${Array.from(
  { length: 30 },
  (_, index) =>
    `fragment f${index} on Query { a${index}: projects { data { id } } ...f${index + 1} ...f${index + 1} }`,
).join(' ')} fragment f30 on Query { __typename }`

const attacks: Readonly<Record<string, string>> = {
  tokens: `{ projects { data { ${'id '.repeat(50_000)} } } }`,
  'as many tokens as there may be': `{ projects { data { ${'id '.repeat(4_990)} } } }`,
  'one leaf again and again': `{ me { ${'id '.repeat(4_990)} } }`,
  '__typename again and again': `{ ${'__typename '.repeat(4_990)} }`,
  'one object again and again': `{ ${'me { id } '.repeat(1_240)} }`,
  'inline fragments again and again': `{ ${'... { __typename } '.repeat(1_240)} }`,
  'brackets that fit no schema': '{a'.repeat(5000) + '}'.repeat(5000),
  'a deep value': `{ project(id: ${'['.repeat(2000)}${']'.repeat(2000)}) { id } }`,
  'a deep type': `query ($a: ${'['.repeat(2000)}ID${']'.repeat(2000)}) { __typename }`,
  'unclosed brackets': '{'.repeat(5000),
  'unknown fields': `{ ${Array.from({ length: 20_000 }, (_, index) => `nosuch${index}`).join(' ')} }`,
  'fewer unknown fields': `{ ${Array.from({ length: 4_000 }, (_, index) => `nosuch${index}`).join(' ')} }`,
  directives: `{ projects { data { id ${'@a '.repeat(10_000)} } } }`,
  'fewer directives': `{ projects { data { id ${'@a '.repeat(2_000)} } } }`,
  'repeated directives': `{ projects { data { id ${'@include(if: true) '.repeat(700)} } } }`,
  aliases: `{ ${Array.from({ length: 10_000 }, (_, index) => `a${index}: projects { data { id name } }`).join(' ')} }`,
  'doubling fragments': fragmentBomb,
  'a fragment of itself': '{ ...a } fragment a on Query { ...a }',
  'fragments in a circle': '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
  'a circle through fields':
    '{ projects { data { ...a } } } fragment a on Project { user { projects { ...a } } }',
  'a chain of fragments': `{ ...f0 } ${Array.from({ length: 600 }, (_, index) => `fragment f${index} on Query { ...f${index + 1} }`).join(' ')} fragment f600 on Query { __typename }`,
}

test('a document that is made to do harm is answered soon and shortly, and the next one as ever', async () => {
  for (const [name, query] of Object.entries(attacks)) {
    const before = performance.now()
    const answer = await ask(query)
    const took = performance.now() - before
    expect.soft(took, name).toBeLessThan(3000)
    expect.soft(JSON.stringify(answer).length, name).toBeLessThan(100_000)
    expect.soft(JSON.stringify(answer), name).not.toContain('Unexpected error')
    await data('{ __typename }')
  }
})
