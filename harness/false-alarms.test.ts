import { expect, test } from 'vitest'
import { bundleStagings, findFalseAlarms, type Reach } from './false-alarms.ts'
import type { Variation } from './fault.ts'
import { requirement } from './requirement.ts'
import type { Judged, Staging } from './staging.ts'

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

test('what withholds shares targets with its like', () => {
  const variations = named('oci', 4).map((one, i) =>
    i % 2 === 0 ? { ...one, withholds: true as const } : one,
  )
  const stagings = bundleStagings(variations, requirements, reach)
  expect(stagings.map(({ behaviours }) => behaviours)).toEqual([
    ['oci.0', 'oci.2'],
    ['oci.1', 'oci.3'],
  ])
})

/** Judges by what is said of the variations that are on, and tells how often. */
async function taken(
  apart: readonly Variation[],
  says: (on: readonly string[], id: string) => Judged['verdict'],
) {
  const judge = (stagings: readonly Staging[]) => {
    const said = ({ behaviours, requirements: ids }: Staging): Judged[] =>
      ids.map((id) => ({ requirement: id, verdict: says(behaviours, id), reason: behaviours.join('+') }))
    return new Map(stagings.map((staging) => [staging.id, said(staging)]))
  }
  let judged = 0
  const bundles = bundleStagings(apart, requirements, reach)
  const clean = requirements.map(({ id }): Judged => ({ requirement: id, verdict: 'holds', reason: '' }))
  const alarms = await findFalseAlarms(
    bundles,
    judge(bundles),
    { clean, variations: apart },
    async (halves) => {
      judged += halves.reduce((sum, half) => sum + half.requirements.length, 0)
      return judge(halves)
    },
  )
  return { ...alarms, judged }
}

test('the variation under which a requirement turns red is found by halves', async () => {
  const { falseAlarms, clashes, judged } = await taken(named('oci', 8), (on, id) =>
    on.includes('oci.5') && id === 'oci.a' ? 'violated' : 'holds',
  )
  expect(falseAlarms).toEqual([{ variation: 'oci.5', requirement: 'oci.a', reason: 'oci.5' }])
  expect(clashes).toEqual([])
  expect(judged).toBe(6)
})

test('what turns red under two together and under neither alone is a contradiction', async () => {
  const { falseAlarms, clashes } = await taken(named('oci', 4), (on, id) =>
    on.includes('oci.0') && on.includes('oci.3') && id === 'oci.a' ? 'violated' : 'holds',
  )
  expect(falseAlarms).toEqual([])
  expect(clashes.map(({ requirement: id, variations }) => [id, variations.length])).toEqual([['oci.a', 4]])
})

test('an alarm that another variation hides is heard', async () => {
  const says = (on: readonly string[], id: string) => {
    if (id !== 'oci.a') return 'holds'
    return on.includes('oci.0') ? 'not-verified' : on.includes('oci.3') ? 'violated' : 'holds'
  }
  const { falseAlarms } = await taken(named('oci', 4), says)
  expect(falseAlarms.map(({ variation }) => variation)).toEqual(['oci.3'])
})
