import { expect, test } from 'vitest'
import { bundleStagings, type Reach } from './false-alarms.ts'
import { requirement } from './requirement.ts'

const source = { document: 'd', section: 's', url: 'https://example.org' }
const requirements = ['oci.a', 'storage.b', 'graphql.c'].map((id) =>
  requirement(id, { level: 'MUST', statement: 's', source, needs: [] }),
)
const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `${prefix}.${i}`, what: 'w', seams: {} }))
const reach: Reach = ({ id }) => (id.startsWith('graphql') ? ['graphql'] : ['registry', 'storage'])

test('variations of the same reach share targets, twelve at most, and are tried against what they reach', () => {
  const stagings = bundleStagings([...named('graphql', 2), ...named('oci', 13)], requirements, reach)
  expect(stagings.map(({ requirements: ids, spec }) => [spec, ...ids])).toEqual([
    ['1.1', 'graphql.c'],
    ['1.1', 'oci.a', 'storage.b'],
    ['1.1', 'oci.a', 'storage.b'],
  ])
  expect(stagings.map(({ behaviours }) => behaviours.length)).toEqual([2, 7, 6])
  expect(stagings.flatMap(({ behaviours }) => behaviours)).toHaveLength(15)
  expect(stagings[1]?.behaviours.slice(0, 2)).toEqual(['oci.0', 'oci.2'])
})
