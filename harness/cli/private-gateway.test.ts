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
  folder = await mkdtemp(join(tmpdir(), 'assay-private-gateway-'))
})
afterAll(() => rm(folder, { recursive: true }))

const requirement = 'storage.gateway.private-leak'

/** Our gateway serves everyone, so a declaration that it is private is a lie, unless it asks for a login. */
test.each([
  ['that serves everyone', [], 'deviates'],
  ['that asks for a login', ['gateway.login'], 'holds'],
] as const)('a gateway that is declared private and %s', async (_, active, verdict) => {
  const { faults } = await loadBehaviours()
  const stack = await startStack({ faults, active })
  try {
    const { gateway } = stack.targets
    const targets = { ...stack.targets, gateway: { ...gateway, private: true } }
    const args = ['test', '--targets', '-', '--only', requirement]
    const input = JSON.stringify(targets)
    await assay([...args, '--report', 'json=report.json'], { cwd: folder, input })
    const { requirements } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
    expect(requirements.find(({ id }) => id === requirement)?.verdict).toBe(verdict)
  } finally {
    await stack.close()
  }
})
