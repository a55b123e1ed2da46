import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { script } from './command.test-support.ts'

const proveAssertions = fileURLToPath(new URL('../../dist/harness/cli/prove-assertions.js', import.meta.url))

test('the assertions of a requirement are found in its source, and each is needed by a fault', async () => {
  const ended = await script([proveAssertions, '--only', 'oci.pull.blob.get.unknown.404'])
  expect(ended.stdout).toBe('1 of 1 assertions are needed by a fault; 0 are explained, 0 are not\n')
  expect(ended.code).toBe(0)
})

test('nothing to prove is wrong usage', async () => {
  const ended = await script([proveAssertions, '--only', 'oci.nothing'])
  expect(ended.stderr).toContain('no requirement matches')
  expect(ended.code).toBe(2)
})
