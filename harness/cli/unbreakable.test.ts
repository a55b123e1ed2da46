import { beforeAll, expect, test } from 'vitest'
import { unbreakable } from '../../suites/unbreakable.ts'
import type { Level } from '../requirement.ts'
import { assay } from './command.test-support.ts'
import { type Behaviours, loadBehaviours } from './load-faults.ts'

let rows: readonly { readonly id: string; readonly level: Level }[]
let faults: Behaviours['faults']
let tried: ReadonlySet<string>
beforeAll(async () => {
  rows = JSON.parse((await assay(['list', '--json'])).stdout)
  faults = (await loadBehaviours()).faults
  tried = new Set(faults.flatMap(({ breaks }) => breaks))
})

test('what no fault can break is a requirement, and no fault breaks it', () => {
  const known = new Set(rows.map(({ id }) => id))
  const wrong = unbreakable.filter(({ id }) => !known.has(id) || tried.has(id))
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('faults name requirements that there are', () => {
  const known = new Set(rows.map(({ id }) => id))
  expect([...tried].filter((id) => !known.has(id))).toEqual([])
})

test('a fault names a requirement once: two trials of one name hide what the other saw', () => {
  const twice = faults.filter(({ breaks }) => new Set(breaks).size < breaks.length)
  expect(twice.map(({ id }) => id)).toEqual([])
})

test('every other requirement is named by a fault', () => {
  const listed = new Set(unbreakable.map(({ id }) => id))
  const untried = rows.filter(({ id }) => !tried.has(id) && !listed.has(id))
  expect(untried.map(({ id }) => id)).toEqual([])
})
