import { expect, test } from 'vitest'
import { html } from './html.ts'
import { markdown } from './markdown.ts'
import { residueSentences } from './residue.ts'
import { report, result } from './sample.test-data.ts'
import { terminal } from './terminal.ts'
import { validate } from './validate.ts'

const left = {
  kind: 'blob',
  count: 12,
  reason: 'DELETE of a blob answered 405',
  places: ['n/a', 'n/b', 'n/c'],
} as const
const cleaned = (residue: readonly (typeof left)[]) =>
  report([result('a.b')], { cleanup: { removed: 3, residue, durationMs: 20 } })

test('what is left is told in every report that a person reads', () => {
  const run = validate(cleaned([left]))
  for (const text of [terminal(run, { colour: false, width: 100 }), html(run), markdown(run)]) {
    expect(text).toMatch(/Left on the targets/)
    expect(text).toMatch(/12 blobs in n\/a, n\/b, n\/c, …: DELETE of a blob answered 405/)
  }
})

test('nothing is said where nothing is left', () => {
  for (const run of [cleaned([]), report([result('a.b')])]) {
    const all = [terminal(run, { colour: false, width: 100 }), html(run), markdown(run)].join()
    expect(all).not.toContain('Left on the targets')
  }
})

test('one thing of each kind, and a place that is very long', () => {
  expect(residueSentences([{ ...left, count: 1, kind: 'access-token', places: ['the platform'] }])).toEqual([
    '1 access token on the platform: DELETE of a blob answered 405',
  ])
  expect(residueSentences([{ ...left, places: ['x'.repeat(300)] }])[0]?.length).toBeLessThan(150)
})
