import { expect, test } from 'vitest'
import { TargetFailure } from '../errors.ts'
import type { Thing } from '../journal/thing.ts'
import { createRemover } from './remover.ts'

const things = ['a', 'b', 'c'].map((cid): Thing => ({ kind: 'pin', cid }))

function remover(signal = new AbortController().signal) {
  return createRemover({ journal: { note: () => {}, close: () => {} }, concurrency: 2, signal })
}

test('when the time is over, the rest is left to try again', async () => {
  const controller = new AbortController()
  const left = await remover(controller.signal).remove(things, async () => {
    controller.abort()
    throw new TargetFailure('aborted')
  })
  expect(left.map(({ reason, again }) => [reason, again])).toEqual(
    Array(3).fill(['there was no time left', true]),
  )
})

test('a target that fails once does not keep the others from being removed', async () => {
  const left = await remover().remove(things, async (thing) => {
    if (thing === things[0]) throw new TargetFailure('connection reset')
    return 'gone'
  })
  expect(left).toEqual([{ thing: things[0], reason: 'connection reset', again: true }])
})

test('a defect of Assay is not taken for the target', async () => {
  await expect(remover().remove(things, () => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
})
