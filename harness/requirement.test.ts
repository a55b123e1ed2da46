import { expect, test } from 'vitest'
import { levelIn, may, must, requirement, should } from './requirement.ts'

const source = { document: 'd', section: 's', url: 'https://example.org' }

test('the options of a test carry its level, sentence, source and needs', () => {
  expect(must('A', source)).toEqual({
    meta: { requirement: { level: 'MUST', statement: 'A', source, needs: [] } },
  })
  expect(should('B', source, { needs: ['push'], since: '1.1' }).meta.requirement).toEqual({
    ...{ level: 'SHOULD', statement: 'B', source, needs: ['push'], since: '1.1' },
  })
  expect(may('C', source).meta.requirement.level).toBe('MAY')
})

test.each([
  ['oci.pull.blob', 'registry'],
  ['service.log.fields', 'registry'],
  ['auth.challenge.401', 'registry'],
  ['auth.token.get', 'token'],
  ['auth.jwt.alg', 'token'],
  ['storage.add.cid', 'storage'],
  ['storage.gateway.get', 'gateway'],
  ['graphql.auth.missing', 'graphql'],
])('%s is about the %s', (id, on) => {
  const { requirement: meta } = must('A', source).meta
  expect(requirement(id, meta)).toMatchObject({ id, interface: on, statement: 'A' })
  expect(requirement(id, { ...meta, on: 'stack' }).interface).toBe('stack')
})

test('the edition decides whether there is a rule, and how strong it is', () => {
  const { requirement: meta } = should('A', source, { since: '1.1', levels: { dev: 'MUST' } }).meta
  expect([levelIn('1.0', meta), levelIn('1.1', meta), levelIn('dev', meta)]).toEqual([
    undefined,
    'SHOULD',
    'MUST',
  ])
})
