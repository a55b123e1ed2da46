import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

test('a jump runs what falls due in order, with what is added on the way, before it resolves', async () => {
  const clock = createClock(() => 0)
  const ran: [string, number][] = []
  const note = (name: string) => ran.push([name, clock.now()])
  clock.at(20, () => void note('second'))
  clock.at(10, async () => {
    await Promise.resolve()
    note('first')
    clock.at(clock.now() + 5, () => void note('from the first'))
  })
  clock.at(31, () => void note('later'))
  clock.at(12, () => void note('called off'))()
  await clock.set(30)
  expect(ran).toEqual([
    ['first', 10],
    ['from the first', 15],
    ['second', 20],
  ])
  expect(clock.now()).toBe(30)
})

test('what happens every period runs at the first and the last period of a jump, and goes on from there', async () => {
  const clock = createClock(() => 0)
  const ran: number[] = []
  const callOff = clock.every(10, () => void ran.push(clock.now()))
  await clock.set(9)
  expect(ran).toEqual([])
  await clock.set(1_000_000_000_005)
  expect(ran).toEqual([10, 1_000_000_000_000])
  await clock.set(1_000_000_000_010)
  expect(ran).toEqual([10, 1_000_000_000_000, 1_000_000_000_010])
  await clock.set(500)
  await clock.set(510)
  expect(ran.at(-1)).toBe(510)
  callOff()
  await clock.set(1_000_000_000_030)
  expect(ran).toHaveLength(4)
})

test('runs with the machine until it is stopped, and again afterwards', async () => {
  let machine = 100
  const clock = createClock(() => machine)
  machine = 150
  expect(clock.now()).toBe(150)
  await clock.set(120)
  machine = 200
  expect(clock.now()).toBe(120)
  clock.run()
  expect(clock.now()).toBe(200)
})
