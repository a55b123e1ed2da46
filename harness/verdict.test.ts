import { describe, expect, test } from 'vitest'
import { type EndingError, judge } from './verdict.ts'

const failed = (...errors: readonly EndingError[]) => ({ state: 'failed' as const, errors })
const finding = { name: 'Finding', message: 'expected 404, seen 200', expected: '404', seen: '200' }

describe('judge', () => {
  test('a finding violates a MUST and is a deviation from a SHOULD or a MAY', () => {
    expect(judge('MUST', failed(finding))).toEqual({
      verdict: 'violated',
      reason: 'expected 404, seen 200',
      expected: '404',
      seen: '200',
    })
    expect(judge('SHOULD', failed(finding)).verdict).toBe('deviates')
    expect(judge('MAY', failed(finding)).verdict).toBe('deviates')
  })

  test('what a read-only run did not send is not verified, whatever came of it', () => {
    const refused = { name: 'WriteRefused', message: 'the run is read-only, and this needs PUT /x' }
    expect(judge('MUST', failed(refused, finding))).toEqual({
      verdict: 'not-verified',
      cause: 'not-configured',
      reason: refused.message,
    })
  })

  test.each([
    { name: 'AssertionError', message: 'expected 1 to be 2' },
    { name: 'TargetFailure', message: 'GET /: connection reset' },
    { name: 'Error', message: 'Test timed out in 5000ms.' },
  ])('$name ($message) is about the target', (error) => {
    expect(judge('MUST', failed(error))).toStrictEqual({ verdict: 'violated', reason: error.message })
  })

  test('any other error is a defect of Assay, whatever else was found', () => {
    const defect = { name: 'TypeError', message: 'x is not a function' }
    expect(judge('MUST', failed(finding, defect))).toEqual({
      verdict: 'error',
      reason: 'TypeError: x is not a function',
    })
  })

  test('a failed prerequisite leaves the requirement unverified, but not beside a finding', () => {
    const prerequisite = { name: 'PrerequisiteFailure', message: 'pushing a blob answered 500' }
    expect(judge('MUST', failed(prerequisite))).toEqual({
      verdict: 'not-verified',
      cause: 'prerequisite-failed',
      reason: 'pushing a blob answered 500',
    })
    expect(judge('MUST', failed(prerequisite, finding)).verdict).toBe('violated')
    expect(judge('MUST', failed(prerequisite, { ...prerequisite, message: 'no tag' })).reason).toBe(
      'pushing a blob answered 500; no tag',
    )
  })

  test('a skip needs a reason', () => {
    expect(judge('MUST', { state: 'skipped', note: 'no ETag was sent' })).toEqual({
      verdict: 'not-verified',
      cause: 'capability-absent',
      reason: 'no ETag was sent',
    })
    expect(judge('MUST', { state: 'skipped', cause: 'left-out', note: 'left out by --only' }).cause).toBe(
      'left-out',
    )
    expect(judge('MUST', { state: 'skipped' })).toEqual({
      verdict: 'error',
      reason: 'the test was skipped without a reason',
    })
  })

  test('what passed holds', () => {
    expect(judge('MAY', { state: 'passed' })).toEqual({ verdict: 'holds', reason: 'as required' })
  })
})
