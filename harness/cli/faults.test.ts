import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStack } from '../../mocks/stack.ts'
import type { Report } from '../report.ts'
import { assay } from './command.test-support.ts'
import { loadBehaviours } from './load-faults.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-faults-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** `assay prove` tries all of them; these five are tried as a user would meet them, through `assay test`. */
test.each([
  ['a flipped bit on pull', 'oci.pull.blob.get.flipped', 'oci.pull.blob.get.200'],
  ['a wrong digest accepted', 'oci.push.blob.digest-unchecked', 'oci.push.blob.digest-mismatch.rejected'],
  ['no WWW-Authenticate', 'auth.challenge.header.none', 'auth.challenge.header'],
  ['an expired token accepted', 'auth.verify.exp.leeway', 'auth.verify.expired'],
  ['the code UNAUTHORIZED', 'graphql.auth.code.unauthorized', 'graphql.auth.missing.code'],
])('%s turns the right requirement red', async (_, fault, requirement) => {
  const { faults } = await loadBehaviours()
  const stack = await startStack({ faults, active: [fault] })
  try {
    const args = ['test', '--targets', '-', '--only', requirement, '--report', 'json=report.json']
    const ended = await assay(args, { cwd: folder, input: JSON.stringify(stack.targets) })
    const { requirements } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
    expect(requirements.find(({ id }) => id === requirement)?.verdict).toBe('violated')
    expect(ended.code).toBe(1)
  } finally {
    await stack.close()
  }
})
