import { expect, test } from 'vitest'
import { rounds } from './rounds.ts'

const trial = (id: string, ...requirements: readonly string[]) => ({ id, requirements })
const ids = (found: readonly (readonly { readonly id: string }[])[]) =>
  found.map((round) => round.map(({ id }) => id))

test('no requirement is judged twice in a round', () => {
  const trials = [trial('a', 'x', 'y'), trial('b', 'y'), trial('c', 'z'), trial('d', 'x', 'z')]
  expect(ids(rounds(trials, 10))).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ])
})

test('a round has no more trials than it may', () => {
  const trials = [trial('a', 'x'), trial('b', 'y'), trial('c', 'z')]
  expect(ids(rounds(trials, 2))).toEqual([['a', 'b'], ['c']])
})
