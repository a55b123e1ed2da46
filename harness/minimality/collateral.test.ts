import { expect, test } from 'vitest'
import type { Assertion } from '../assertions/plugin.ts'
import type { Fault } from '../fault.ts'
import type { Judged, Staging } from '../staging.ts'
import { findCollateral } from './collateral.ts'

/** Where a requirement fails under a fault: at these places, at none of them without an answer, or by our own mistake. */
type Failing = readonly string[] | 'error'
const outcomes: Readonly<Record<string, Readonly<Record<string, Failing>>>> = {
  'push.500': { 'toy.push': ['push:1'], 'toy.tags': ['tags:1'], 'toy.pull': [] },
  'tags.none': { 'toy.tags': ['tags:2'] },
  'pull.cut': { 'toy.pull': [], 'toy.tags': 'error' },
  'pull.404': { 'toy.pull': ['pull:1', 'shared:1'], 'toy.tags': ['shared:1', 'tags:2'] },
  'json.cut': { 'toy.tags': ['shared:2'] },
}

const fault = (id: string, ...breaks: readonly string[]): Fault => ({
  ...{ id, what: id, kind: 'cosmetic', breaks, seams: {} },
})
const faults = [
  fault('push.500', 'toy.push'),
  fault('tags.none', 'toy.tags'),
  fault('pull.cut', 'toy.pull'),
  fault('pull.404', 'toy.pull'),
  fault('json.cut'),
]
const assertion = (place: string, within: string, text: string): Assertion => ({
  ...{ place, file: 'f', line: 1, within, text },
})
const assertions = [
  assertion('push:1', 'toy.push', 'expectStatus(answer, 201)'),
  assertion('pull:1', 'toy.pull', 'expectPulled(answer)'),
  assertion('tags:1', 'toy.tags', 'expectSorted(tags)'),
  assertion('tags:2', 'toy.tags', 'expectTags(answer)'),
  assertion('shared:1', 'f expectTags', 'expectStatus(answer, 200)'),
  assertion('shared:2', 'f tagsOf', 'expectJson(answer)'),
]
const all = ['toy.push', 'toy.pull', 'toy.tags']

function judged(requirement: string, failing: Failing | undefined): Judged {
  if (!failing) return { requirement, verdict: 'holds', reason: 'as required' }
  if (failing === 'error') return { requirement, verdict: 'error', reason: 'TypeError: x' }
  const assertions = { reached: failing, decisive: failing }
  return { requirement, verdict: 'violated', reason: `red at ${failing}`, assertions }
}

const answer = (stagings: readonly Staging[], outcome = outcomes) =>
  new Map(
    stagings.map(({ id, behaviours: [active = ''], requirements }) => [
      id,
      requirements.map((requirement) => judged(requirement, outcome[active]?.[requirement])),
    ]),
  )

async function find(
  tried = faults,
  touchedBy: (fault: string) => readonly string[] = () => all,
  alone = outcomes,
) {
  const side: Staging[] = []
  const found = await findCollateral({
    ...{ faults: tried, known: faults, touchedBy },
    judge: async (stagings) => {
      side.push(...stagings)
      return answer(stagings)
    },
    trace: async (stagings, onAssertions) => {
      onAssertions(assertions)
      return answer(stagings, alone)
    },
  })
  return { side, found }
}

test('a requirement that fails where it fails under a fault that names it says what it is there to say', async () => {
  const { found } = await find()
  expect(found.map(({ fault: id, requirement, spoken }) => `${id} ${requirement} ${spoken}`)).toEqual([
    'push.500 toy.pull true',
    'push.500 toy.tags false',
    'pull.cut toy.tags false',
    'pull.404 toy.tags true',
    'json.cut toy.tags false',
  ])
  expect(found.map(({ at }) => at.map(({ text }) => text).join())).toEqual([
    'the transport',
    'expectSorted(tags)',
    'the transport',
    'expectTags(answer)',
    'expectJson(answer)',
  ])
})

test('only what a fault touches and does not name is judged', async () => {
  const { side } = await find([fault('push.500', 'toy.push')], () => ['toy.push', 'toy.tags'])
  expect(side).toMatchObject([{ id: 'push.500', behaviours: ['push.500'], requirements: ['toy.tags'] }])
})

test('what is red in company alone is no collateral', async () => {
  const { found } = await find(faults.slice(0, 1), () => all, {
    'push.500': { 'toy.pull': [] },
    'pull.cut': { 'toy.pull': [] },
  })
  expect(found.map(({ requirement }) => requirement)).toEqual(['toy.pull'])
})
