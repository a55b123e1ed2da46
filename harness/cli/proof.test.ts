import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { digestOf } from '../../reports/matrix/matrix.ts'
import { faultsDigest, suiteProof } from '../../reports/proof/proof.ts'
import { loadBehaviours } from './load-faults.ts'

test('what the reports say of the suites was proved with the faults that there are (npm run proof)', async () => {
  const { faults, variations } = await loadBehaviours()
  expect(faultsDigest).toBe(digestOf(faults))
  expect(suiteProof).toMatchObject({
    faults: { all: faults.length, caught: faults.length },
    variations: variations.length,
    falseAlarms: 0,
  })
})

test('the page beside the reports shows the same proof', async () => {
  const page = await readFile(new URL('../../reports/proof/matrix.html', import.meta.url), 'utf8')
  expect(page).toContain(`data-faults="${faultsDigest}"`)
})
