import { describe, expect, test } from 'vitest'
import type { RequirementResult } from './report.ts'
import { summarise, unexcused } from './summary.ts'

type Judged = Parameters<typeof summarise>[0][number]

const result = (changes: Partial<RequirementResult>): Judged => ({
  level: 'MUST',
  interface: 'registry',
  verdict: 'holds',
  ...changes,
})
const holds = result({})
const violated = result({ verdict: 'violated' })
const excused = result({ verdict: 'violated', baseline: { reason: 'known', expires: '2030-01-01' } })
const blocked = result({ verdict: 'not-verified', cause: 'prerequisite-failed' })
const lacking = result({ verdict: 'not-verified', cause: 'capability-absent' })

describe('summarise', () => {
  test('what holds and what does not apply is conformant', () => {
    expect(summarise([holds, lacking]).verdict).toBe('conformant')
  })

  test.each([
    ['a violated MUST', [holds, violated], '1 of 2 MUST is violated'],
    [
      'a MUST whose prerequisite failed',
      [holds, blocked],
      '1 MUST could not be verified because a step before failed',
    ],
    [
      'a defect of Assay',
      [holds, result({ verdict: 'error' })],
      '1 could not be judged because Assay failed',
    ],
  ])('%s is not conformant', (_, results, reason) => {
    expect(summarise(results)).toMatchObject({ verdict: 'non-conformant', reasons: [reason] })
  })

  test('only MUSTs that were verified are counted beside those that are violated', () => {
    const should = result({ level: 'SHOULD' })
    expect(summarise([holds, violated, violated, should, lacking, blocked]).reasons).toEqual([
      '2 of 3 MUST are violated',
      '1 MUST could not be verified because a step before failed',
    ])
  })

  test('a violated MUST alone, or a deviation alone, is something that was verified', () => {
    expect(summarise([violated]).verdict).toBe('non-conformant')
    expect(summarise([result({ verdict: 'deviates', level: 'SHOULD' })]).verdict).toBe('conformant')
  })

  test('a cause of another verdict blocks nothing', () => {
    expect(summarise([result({ cause: 'prerequisite-failed' })]).verdict).toBe('conformant')
  })

  test('a SHOULD whose prerequisite failed decides nothing', () => {
    expect(summarise([holds, { ...blocked, level: 'SHOULD' }]).verdict).toBe('conformant')
  })

  test('a deviation counts only when it is a SHOULD and the run is strict', () => {
    const deviates = result({ verdict: 'deviates', level: 'SHOULD' })
    expect(summarise([holds, deviates]).verdict).toBe('conformant')
    expect(summarise([holds, deviates], { strict: true }).verdict).toBe('non-conformant')
    expect(summarise([holds, { ...deviates, level: 'MAY' }], { strict: true }).verdict).toBe('conformant')
    expect(summarise([result({ level: 'SHOULD' })], { strict: true }).verdict).toBe('conformant')
    expect(summarise([deviates], { strict: true }).reasons).toEqual([
      '1 SHOULD deviate, and --strict counts them',
    ])
  })

  test('more left open than allowed is not conformant; what the user left out is not counted', () => {
    const leftOut = result({ verdict: 'not-verified', cause: 'left-out' })
    expect(summarise([holds, lacking, leftOut], { maxNotVerified: 1 }).verdict).toBe('conformant')
    expect(summarise([holds, lacking, leftOut], { maxNotVerified: 0 }).reasons).toEqual([
      '1 were not verified, more than --max-not-verified 0',
    ])
    expect(summarise([holds, leftOut], { maxNotVerified: 0 }).verdict).toBe('conformant')
    expect(summarise([lacking, holds, lacking]).verdict).toBe('conformant')
  })

  test('a run that verified nothing is never conformant', () => {
    expect(summarise([lacking])).toMatchObject({
      verdict: 'not-verified',
      reasons: ['nothing at all was verified'],
    })
    expect(summarise([]).verdict).toBe('not-verified')
  })

  test('counts by verdict, level and interface', () => {
    const summary = summarise([holds, violated, result({ interface: 'token', level: 'MAY' })])
    expect(summary.byVerdict).toMatchObject({ holds: 2, violated: 1 })
    expect(summary.byLevel.MUST).toMatchObject({ holds: 1, violated: 1 })
    expect(summary.byLevel.SHOULD.holds).toBe(0)
    expect(summarise([result({ level: 'SHOULD' })]).byLevel.SHOULD.holds).toBe(1)
    expect(summary.byInterface.token).toMatchObject({ MAY: { holds: 1 }, MUST: { holds: 0 } })
    expect(summary.byInterface.registry?.MUST).toMatchObject({ holds: 1, violated: 1 })
    expect(summary.byInterface.storage).toBeUndefined()
  })

  test('the baseline excuses the exit, never the verdict', () => {
    expect(summarise([holds, excused]).verdict).toBe('non-conformant')
    expect(unexcused([holds, excused])).toEqual([])
    expect(unexcused([holds, excused, violated])).toEqual(['1 of 3 MUST is violated'])
    expect(unexcused([excused])).toEqual([])
  })
})
