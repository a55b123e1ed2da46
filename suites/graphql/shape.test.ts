import { expect, test } from 'vitest'
import { expectShape, type Shape } from './shape.ts'

const shape: Shape = { projects: { data: [{ id: 'leaf', name: 'leaf' }] } }
const inList = (...entries: readonly unknown[]) => ({ projects: { data: entries } })

test('what was selected has its shape in any order, and a list of nothing has it too', () => {
  for (const value of [inList({ name: null, id: 1 }, { id: {}, name: [] }), inList()]) {
    expect(() => expectShape(value, shape)).not.toThrow()
  }
})

test.each([
  ['no object', null, 'exactly the members projects at data, seen null'],
  ['a member too much', { projects: { data: [] }, me: 1 }, 'exactly the members projects at data,'],
  ['one too few', { projects: {} }, 'exactly the members data at data.projects, seen {}'],
  ['an object for a list', { projects: { data: {} } }, 'a list at data.projects.data, seen {}'],
  [
    'an entry',
    inList({ id: 1, name: 2 }, null),
    'exactly the members id, name at data.projects.data[1], seen',
  ],
])('%s is told with its place', (_, value, message) => {
  expect(() => expectShape(value, shape)).toThrow(message)
})
