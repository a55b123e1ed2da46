import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createContainerOutput } from './container-output.ts'

async function printed(lines: readonly string[]): Promise<string> {
  const output = createContainerOutput(['pass-word'])
  const stream = Readable.from(lines.map((line) => `${line}\n`))
  output.read('registry 1', stream)
  await once(stream, 'close')
  return output.describe()
}

test('keeps the last lines of a container, under its name', async () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`)
  const described = await printed(lines)
  expect(described).toMatch(/^registry 1 printed:\n {2}line 10\n/)
  expect(described).toContain('line 29')
  expect(described).not.toContain('line 9\n')
})

test('no secret is in it, and no target object', async () => {
  const described = await printed(['{"registry":{"signingKey":"key"}}', 'connecting with pass-word'])
  expect(described).toBe('registry 1 printed:\n  (the target object)\n  connecting with …')
})
