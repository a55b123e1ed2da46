import { expect, test } from 'vitest'
import { decisive, findings, notVerified } from './findings.ts'
import { exchange, report, result } from './sample.test-data.ts'

const ids = (results: readonly { readonly id: string }[]) => results.map(({ id }) => id)

test('every failure is in one list, MAY after SHOULD, and the baseline takes out what it names until it expires', () => {
  const baseline = { reason: 'known', expires: '2026-11-21' }
  const { errors, violated, deviates, known, mended } = findings(
    report([
      result('a.may', { level: 'MAY', verdict: 'deviates' }),
      result('a.should', { level: 'SHOULD', verdict: 'deviates' }),
      result('a.must', { verdict: 'violated' }),
      result('a.known', { verdict: 'violated', baseline }),
      result('a.expired', { verdict: 'violated', baseline: { ...baseline, expires: '2026-11-20' } }),
      result('a.mended', { baseline }),
      result('a.error', { verdict: 'error', baseline }),
      result('a.skipped', { verdict: 'not-verified', baseline }),
    ]),
  )
  expect({
    errors: ids(errors),
    violated: ids(violated),
    deviates: ids(deviates),
    known: ids(known),
    mended: ids(mended),
  }).toEqual({
    errors: ['a.error'],
    violated: ['a.must', 'a.expired'],
    deviates: ['a.should', 'a.may'],
    known: ['a.known'],
    mended: ['a.mended'],
  })
})

test('what was not verified is grouped by reason, what counts against the verdict first', () => {
  const skipped = (
    id: string,
    cause: 'left-out' | 'not-configured' | 'prerequisite-failed',
    reason: string,
  ) => result(id, { verdict: 'not-verified', cause, reason })
  const groups = notVerified(
    report([
      skipped('a.1', 'left-out', 'other edition'),
      skipped('a.2', 'not-configured', 'no account'),
      skipped('a.3', 'not-configured', 'no key'),
      skipped('a.4', 'not-configured', 'no key'),
      skipped('a.5', 'prerequisite-failed', 'push failed'),
    ]),
  )
  expect(groups.map(({ reason, results }) => [reason, ...ids(results)])).toEqual([
    ['push failed', 'a.5'],
    ['no key', 'a.3', 'a.4'],
    ['no account', 'a.2'],
    ['other edition', 'a.1'],
  ])
})

test('the decisive exchange is the last that shows what was seen, not the cleaning up after it', () => {
  const exchanges = [
    exchange({}, { status: 202 }),
    exchange({}, { status: 500 }),
    exchange({}, { status: 204 }),
  ]
  const of = (seen?: string) =>
    decisive(result('a.b', { exchanges, ...(seen === undefined ? {} : { seen }) }))
  expect(of('status 500')).toBe(exchanges[1])
  expect(of('1500 bytes')).toBe(exchanges[2])
  expect(of()).toBe(exchanges[2])
  expect(decisive(result('a.b', { exchanges: [] }))).toBeUndefined()
})
