import { expect, test } from 'vitest'
import { fooledBy, trialOf } from './cheats.ts'
import type { Judged } from './staging.ts'

const violated = (requirement: string): Judged => ({ requirement, verdict: 'violated', reason: 'seen 500' })
const without = (requirement: string, cause: NonNullable<Judged['cause']>): Judged => ({
  ...{ requirement, verdict: 'not-verified', reason: 'no push went through', cause },
})
const holding: Judged = { requirement: 'oci.a', verdict: 'holds', reason: 'as required' }

test('a violated MUST convicts, as does one whose prerequisite failed; three are shown, the violated first, those of OCI before', () => {
  const judged = [
    without('oci.b', 'prerequisite-failed'),
    holding,
    violated('auth.a'),
    violated('oci.e'),
    violated('oci.d'),
  ]
  expect(trialOf('cheat.x', judged)).toEqual({
    cheat: 'cheat.x',
    judged: 5,
    convicting: 4,
    convictedBy: [
      { requirement: 'oci.d', verdict: 'violated', reason: 'seen 500' },
      { requirement: 'oci.e', verdict: 'violated', reason: 'seen 500' },
      { requirement: 'auth.a', verdict: 'violated', reason: 'seen 500' },
    ],
  })
})

test('what a target may lack convicts nobody, so such a cheat fools the suite', () => {
  const lacking = trialOf('cheat.x', [holding, without('oci.b', 'capability-absent')])
  expect(lacking).toMatchObject({ judged: 2, convicting: 0, convictedBy: [] })
  expect(fooledBy([lacking, trialOf('cheat.y', [violated('oci.d')])])).toEqual([lacking])
})
