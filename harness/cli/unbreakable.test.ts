import { beforeAll, expect, test } from 'vitest'
import { unbreakable } from '../../suites/unbreakable.ts'
import type { Level } from '../requirement.ts'
import { assay } from './command.test-support.ts'
import { loadBehaviours } from './load-faults.ts'

let rows: readonly { readonly id: string; readonly level: Level }[]
let tried: ReadonlySet<string>
beforeAll(async () => {
  rows = JSON.parse((await assay(['list', '--json'])).stdout)
  tried = new Set((await loadBehaviours()).faults.flatMap(({ breaks }) => breaks))
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

test('every other requirement is named by a fault', () => {
  const listed = new Set(unbreakable.map(({ id }) => id))
  const untried = rows.filter(({ id }) => !tried.has(id) && !listed.has(id))
  expect(untried.map(({ id }) => id)).toEqual([])
})
