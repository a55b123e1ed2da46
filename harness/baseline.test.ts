import { describe, expect, test } from 'vitest'
import { applyBaseline, parseBaseline } from './baseline.ts'
import { UsageError } from './errors.ts'
import type { RequirementResult, Verdict } from './report.ts'

const known = { id: 'oci.a', reason: 'known', expires: '2030-06-30' }
const result = (id: string, verdict: Verdict): RequirementResult => ({
  ...{ id, verdict, interface: 'registry', level: 'MUST', statement: 's', reason: 'r', durationMs: 1 },
  ...{ source: { document: 'd', section: 's', url: 'u' }, exchanges: [], reproduce: '' },
})

describe('parseBaseline', () => {
  test('reads a list', () => {
    expect(parseBaseline(JSON.stringify([known]), 'b.json')).toEqual([known])
    expect(parseBaseline('[]', 'b.json')).toEqual([])
  })

  test.each([
    ['{', 'b.json is not JSON: '],
    ['{}', 'b.json: / must be array; a baseline is a list of {"id", "reason", "expires": "YYYY-MM-DD"}'],
    [JSON.stringify([{ ...known, expires: undefined }]), "b.json: /0 must have required property 'expires'"],
    [JSON.stringify([{ ...known, reason: undefined }]), "b.json: /0 must have required property 'reason'"],
    [JSON.stringify([{ ...known, id: undefined }]), "b.json: /0 must have required property 'id'"],
    [JSON.stringify([known, { ...known, since: '' }]), 'b.json: /1 must NOT have additional properties'],
    [JSON.stringify([{ ...known, expires: '30.6.2030' }]), 'b.json: /0/expires must match format "date"'],
    [JSON.stringify([{ ...known, expires: 1 }]), 'b.json: /0/expires must be string'],
    [JSON.stringify([{ ...known, reason: '' }]), 'b.json: /0/reason must NOT have fewer than 1 characters'],
    [JSON.stringify([{ ...known, id: '' }]), 'b.json: /0/id must NOT have fewer than 1 characters'],
    [JSON.stringify([{ ...known, id: 1 }]), 'b.json: /0/id must be string'],
    [JSON.stringify([{ ...known, reason: 1 }]), 'b.json: /0/reason must be string'],
    ['[1]', 'b.json: /0 must be object'],
  ])('%s is refused with the entry and the rule', (text, message) => {
    expect(() => parseBaseline(text, 'b.json')).toThrow(UsageError)
    expect(() => parseBaseline(text, 'b.json')).toThrow(message)
  })
})

describe('applyBaseline', () => {
  const excused = { reason: 'known', expires: '2030-06-30' }

  test.each<[Verdict, boolean]>([
    ['violated', true],
    ['deviates', true],
    ['holds', true],
    ['not-verified', false],
    ['error', false],
  ])('what is %s carries the entry: %s', (verdict, carries) => {
    const { results } = applyBaseline(
      [result('oci.a', verdict), result('oci.b', verdict)],
      [known],
      '2030-01-01',
    )
    expect(results.map(({ baseline }) => baseline)).toEqual([carries ? excused : undefined, undefined])
  })

  test('the last day still counts, the day after not', () => {
    const violated = [result('oci.a', 'violated')]
    expect(applyBaseline(violated, [known], '2030-06-30').results[0]?.baseline).toEqual(excused)
    expect(applyBaseline(violated, [known], '2030-07-01')).toEqual({
      results: violated,
      remarks: ["the baseline's entry for oci.a expired on 2030-06-30"],
    })
  })

  test('tells what holds now, and what is no requirement', () => {
    const entries = [known, { ...known, id: 'oci.x' }]
    expect(applyBaseline([result('oci.a', 'holds')], entries, '2030-01-01').remarks).toEqual([
      'oci.a holds now: take it out of the baseline',
      'the baseline names oci.x, which is no requirement',
    ])
    expect(applyBaseline([result('oci.a', 'violated')], [known], '2030-01-01').remarks).toEqual([])
  })
})
