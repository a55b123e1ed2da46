import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { script } from './command.test-support.ts'

const proveMinimality = fileURLToPath(new URL('../../dist/harness/cli/prove-minimality.js', import.meta.url))

test('a fault that breaks nothing but what it names turns nothing else red', async () => {
  const ended = await script([proveMinimality, '--only', 'graphql.batch.207'])
  expect(ended.stdout).toBe(
    'faults tried: 1; red beside what they name: 0; of these, for what their requirement does not speak of: 0\n',
  )
  expect(ended.code).toBe(0)
})

test('nothing to try is wrong usage', async () => {
  const ended = await script([proveMinimality, '--only', 'oci.nothing'])
  expect(ended.stderr).toContain('no fault matches')
  expect(ended.code).toBe(2)
})
