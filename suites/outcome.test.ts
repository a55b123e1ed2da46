import { expect, test } from 'vitest'
import { outcomeOf } from './outcome.ts'

test('gives the value as often as it is asked for', async () => {
  let worked = 0
  const outcome = await outcomeOf(async () => {
    worked += 1
    return worked
  })
  expect([outcome(), outcome(), worked]).toEqual([1, 1, 1])
})

test('fails who asks, and not who waits', async () => {
  const failure = new Error('no answer')
  const outcome = await outcomeOf(() => Promise.reject(failure))
  expect(outcome).toThrow(failure)
})
