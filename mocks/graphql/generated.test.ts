import fc from 'fast-check'
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { expect, test } from 'vitest'
import { openPlatform, tokens, url } from './client.contract.ts'
import { platformSchema } from './schema.ts'

/** How many requests are made up; ASSAY_GENERATED=10000 asks for more. */
const count = Number(process.env['ASSAY_GENERATED'] ?? 500)

const seed = {
  projects: [
    {
      user: 'ada',
      name: 'Shop',
      services: [
        { name: 'Web', dockerImage: 'registry.example.org/web:1', deployed: true },
        { name: 'Database', templateId: 'relational-database', variables: [{ key: 'mode', value: 'x' }] },
      ],
    },
  ],
}
const { send, data, platform } = await openPlatform({ extensions: ['compat', 'legacy'], seed })
const schema = platformSchema(['compat', 'legacy'])
const seeded = await data('{ projects { data { id } } allDeployments { id serviceId } }')
const ids: string[] = [
  seeded.projects.data[0].id,
  ...Object.values<string>(seeded.allDeployments[0]),
  'nosuch',
]

type Text = fc.Arbitrary<string>
const join = (...parts: Text[]): Text => fc.tuple(...parts).map((texts) => texts.join(' '))
const some = <T>(from: readonly T[], most: number) =>
  fc.shuffledSubarray([...from], {
    minLength: Math.min(1, from.length),
    maxLength: Math.min(most, from.length),
  })

const text: Text = fc
  .oneof(
    fc.constantFrom('x', '', 'mode', 'shop', 'fullstack', 'text-model', '2031-01-01T00:00:00Z'),
    fc.string(),
  )
  .map((value) => JSON.stringify(value))
const id: Text = fc.constantFrom(...ids).map((value) => JSON.stringify(value))
const scalars: Readonly<Record<string, Text>> = {
  ID: id,
  String: text,
  Date: text,
  Int: fc.oneof(fc.integer({ min: -2, max: 100 }), fc.integer()).map(String),
  Float: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  Boolean: fc.boolean().map(String),
  JSON: fc.constantFrom('{a: [1, {b: null}]}', '[]', '"x"', '0.5'),
}
const wrong: Text = fc.constantFrom('null', '$v', 'ENUM', '{x: 1}', '[[1]]', '"""block"""', '-1')

function literalOf(type: GraphQLInputType): Text {
  if (isNonNullType(type)) return literalOf(type.ofType)
  if (isListType(type))
    return fc.array(literalOf(type.ofType), { maxLength: 2 }).map((all) => `[${all.join(' ')}]`)
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name))
  if (isInputObjectType(type)) return given(Object.values(type.getFields())).map((all) => `{${all}}`)
  return scalars[type.name] ?? text
}

/** Values for all that is required and for some of the rest, now and then a wrong one. */
function given(slots: readonly (GraphQLArgument | GraphQLInputField)[]): Text {
  const values = slots.map((slot) => {
    const value = fc.oneof({ weight: 30, arbitrary: literalOf(slot.type) }, { weight: 1, arbitrary: wrong })
    const text = value.map((literal) => `${slot.name}: ${literal}`)
    return isNonNullType(slot.type) ? text : fc.oneof(text, fc.constant(''))
  })
  return join(...values)
}

function fieldOf(field: GraphQLField<unknown, unknown>, depth: number): Text {
  const args =
    field.args.length > 0 ? given(field.args).map((all) => (all.trim() ? `(${all})` : '')) : fc.constant('')
  const type = getNamedType(field.type)
  return join(
    fc.constant(field.name),
    args,
    isObjectType(type) ? selectionsOf(type.name, depth - 1) : fc.constant(''),
  )
}

function selectionsOf(typeName: string, depth: number): Text {
  const type = schema.getType(typeName)
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  const usable = fields.filter((field) => depth > 0 || isLeafType(getNamedType(field.type)))
  return some(usable, typeName === 'Mutation' ? 2 : 4)
    .chain((chosen) => join(fc.constant('__typename'), ...chosen.map((field) => fieldOf(field, depth))))
    .map((all) => `{ ${all} }`)
}

const sound = fc.oneof(
  join(fc.constant('query'), selectionsOf('Query', 3)),
  join(fc.constant('mutation'), selectionsOf('Mutation', 3)),
)
const broken = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'mutation { loginWithPersonalAccessToken(data: { personalAccessToken: "af_live_ada" }) projects { data { id } } }',
    'mutation { a: loginWithPersonalAccessToken(data: { personalAccessToken: "af_live_ada" }) }',
    'subscription { projects { data { id } } }',
    'query ($v: Boolean!) { projects @include(if: $v) { data { id } } }',
    '{ ...F } fragment F on Query { ...F }',
    '{ __schema { types { name kind } } }',
    'query A { __typename } query B { __typename }',
    '{ nosuch { nosuch } }',
  ),
  sound.map((query) => query.slice(1)),
  sound.map((query) => query.slice(0, -1)),
)
const document = fc.oneof({ weight: 4, arbitrary: sound }, { weight: 1, arbitrary: broken })
const parts = {
  query: document,
  variables: fc.oneof(fc.constant({ v: true }), fc.jsonValue()),
  operationName: fc.oneof(fc.constantFrom(null, 'A', ''), fc.jsonValue()),
  extensions: fc.oneof(fc.constant({}), fc.jsonValue()),
  other: fc.jsonValue(),
}
const body = fc.oneof(
  { weight: 8, arbitrary: document.map((query) => JSON.stringify({ query })) },
  { weight: 3, arbitrary: fc.record(parts, { requiredKeys: ['query'] }).map((all) => JSON.stringify(all)) },
  { weight: 1, arbitrary: fc.oneof(fc.json(), fc.string()) },
  { weight: 1, arbitrary: fc.array(document).map((all) => JSON.stringify(all.map((query) => ({ query })))) },
)
const header = fc.stringMatching(/^[ -~]{0,30}$/)
const authorization = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(`Bearer ${tokens.ada}`, `bearer  ${tokens.bob}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(`Bearer ${tokens.expired}`, `Bearer ${tokens.revoked}`, '', 'Bearer'),
  },
  { weight: 1, arbitrary: fc.constantFrom(`Basic ${tokens.ada}`, `Bearer ${tokens.ada} x`, 'Bearer a.b.c') },
  {
    weight: 1,
    arbitrary: fc.oneof(
      header,
      header.map((text) => `Bearer ${text}`),
    ),
  },
)
const request = fc.record({
  body,
  authorization,
  accept: fc.oneof(fc.constantFrom('*/*', 'application/json', 'application/graphql-response+json'), header),
  type: fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ),
})

const opens = (credential: string) => /^bearer +af_live_(?:ada|bob) *$/i.test(credential.trim())

/** What nobody may be told: the session of a login, and the name of the type it is in. */
const isLoginAnswer = (told: Record<string, unknown> | null) =>
  told === null ||
  Object.values(told).every((value) => typeof value === 'string' && /^(?:ey|Mutation$)/.test(value))

/** How many requests meet one state, before all begins anew. */
const together = 40
let sent = 0

test(
  'whatever is sent as JSON is answered with 200, in the shape of GraphQL, and nobody is told anything',
  async () => {
    await fc.assert(
      fc.asyncProperty(request, async (made) => {
        if (++sent % together === 0) platform.reset()
        const headers = { 'content-type': made.type, accept: made.accept, authorization: made.authorization }
        const response = await send(new Request(url, { method: 'POST', headers, body: made.body }))
        const answered = await response.text()
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toMatch(
          /^application\/(graphql-response\+)?json; charset=utf-8$/,
        )
        const answer = JSON.parse(answered)
        expect(Object.keys(answer).filter((key) => key !== 'data' && key !== 'errors')).toEqual([])
        expect('errors' in answer ? answer.errors.length : 1).toBeGreaterThan(0)
        expect(answered).not.toMatch(
          /Unexpected error|INTERNAL_SERVER_ERROR|Did you mean|node_modules|"kind":"OBJECT"/,
        )
        expect(opens(made.authorization) || isLoginAnswer(answer.data)).toBe(true)
      }),
      { numRuns: count, timeout: 5000 },
    )
    platform.reset()
    expect(await data('{ projects { data { id } } allDeployments { id serviceId } }')).toEqual(seeded)
  },
  30_000 + 20 * count,
)
