import { expect, test } from 'vitest'
import { type Call, callShadowOf, listening, type Parts } from './calls.ts'

const store = (found: unknown = { size: 3 }): Parts => ({
  blobs: { find: async () => found, remove: async () => true },
  tags: { list: async () => ['a', 'b'] },
})

async function callOf(parts: Parts, part: string, method: string, ...args: unknown[]): Promise<Call> {
  const calls: Promise<Call>[] = []
  await listening(parts, (call) => calls.push(call))[part]?.[method]?.(...args)
  const [call] = await Promise.all(calls)
  if (!call) throw new Error('nothing was heard')
  return call
}

const finding = (find: Parts[string][string]) => (parts: Parts) => ({
  ...parts,
  blobs: { ...parts['blobs'], find },
})

test('a method that a fault leaves alone is not changed, whatever it does to others', async () => {
  const shadow = callShadowOf(
    store(),
    finding(async () => undefined),
  )
  expect(await shadow(await callOf(store(), 'blobs', 'remove', 'x'))).toBe(false)
  expect(await shadow(await callOf(store(), 'tags', 'list'))).toBe(false)
})

test('another result, other arguments, and a second call are changes; the same result is none', async () => {
  const call = await callOf(store(), 'blobs', 'find', 'name', 'sha256:1')
  const under = (change: (find: Parts[string][string]) => Parts[string][string]) =>
    callShadowOf(store(), (parts) => finding(change(parts['blobs']?.['find'] ?? (() => undefined)))(parts))(
      call,
    )

  expect(await under(() => async () => undefined)).toBe(true)
  expect(await under((find) => (name, digest) => find(`${name}`, `${digest}2`))).toBe(true)
  expect(
    await under(
      (find) =>
        async (...args) =>
          (await find(...args)) && find(...args),
    ),
  ).toBe(true)
  expect(
    await under(
      (find) =>
        async (...args) =>
          (await find(...args)) ?? { size: 0 },
    ),
  ).toBe(false)
})

test('a method that asks other methods, or reads what can be read once, may have changed anything', async () => {
  const asksOthers = (parts: Parts) =>
    finding(async () => (await parts['tags']?.['list']?.()) && { size: 3 })(parts)
  expect(await callShadowOf(store(), asksOthers)(await callOf(store(), 'blobs', 'find'))).toBe(true)
  const stream = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true }) }) }
  const passing = (parts: Parts) => finding((...args) => parts['blobs']?.['find']?.(...args))(parts)
  expect(await callShadowOf(store(stream), passing)(await callOf(store(stream), 'blobs', 'find'))).toBe(true)
})

test('a call that fails is shown as it failed', async () => {
  const failing: Parts = { blobs: { find: () => Promise.reject(new Error('full')) } }
  const calls: Promise<Call>[] = []
  const heard = listening(failing, (call) => calls.push(call))['blobs']?.['find']?.()
  await expect(heard).rejects.toThrow('full')
  const [call] = await Promise.all(calls)
  if (!call) throw new Error('nothing was heard')
  const passing = (parts: Parts) => finding((...args) => parts['blobs']?.['find']?.(...args))(parts)
  expect(await callShadowOf(failing, passing)(call)).toBe(false)
  expect(
    await callShadowOf(
      failing,
      finding(async () => undefined),
    )(call),
  ).toBe(true)
})
