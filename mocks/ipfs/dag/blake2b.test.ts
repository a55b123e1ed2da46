import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { blake2b } from './blake2b.ts'

test('agrees with node:crypto where that has it too', () => {
  for (const length of [0, 1, 127, 128, 129, 256, 1000]) {
    const content = randomBytes(length)
    expect(Buffer.from(blake2b([content], 64)).toString('hex')).toBe(
      createHash('blake2b512').update(content).digest('hex'),
    )
  }
})

test('gives 32 bytes that are not the begin of the 64', () => {
  const digest = Buffer.from(blake2b([Buffer.from('hello '), Buffer.from('world')], 32)).toString('hex')
  expect(digest).toBe('256c83b297114d201b30179f3f0ef0cace9783622da5974326b436178aeef610')
})
