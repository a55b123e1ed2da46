import { expect, test } from 'vitest'
import { callForContext, offerContext } from './context-call.ts'
import type { RunContext } from './run-context.ts'

const context = { seed: 7, namespace: 'assay/one' } as RunContext

test('the targets are looked at when somebody asks, and once for all who ask', async () => {
  let looks = 0
  const offer = offerContext(async () => {
    looks += 1
    return context
  })
  expect(looks).toBe(0)
  const [one, other] = await Promise.all([callForContext(offer.channel), callForContext(offer.channel)])
  expect([one, other, await offer.found]).toEqual([context, context, context])
  expect(looks).toBe(1)
  offer.end()
})

test('a target that cannot be looked at fails both sides', async () => {
  const offer = offerContext(() => Promise.reject(new Error('connection refused')))
  await expect(callForContext(offer.channel)).rejects.toThrow('connection refused')
  await expect(offer.found).rejects.toThrow('connection refused')
  offer.end()
})
