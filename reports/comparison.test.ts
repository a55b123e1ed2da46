import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../harness/report.ts'
import { comparedHtml } from './comparison/html.ts'
import { comparedMarkdown } from './comparison/markdown.ts'
import { comparedTerminal } from './comparison/terminal.ts'
import { compare } from './comparison.ts'
import { report, result } from './sample.test-data.ts'

type Verdicts = Readonly<Record<string, Verdict>>

const levels = { must: 'MUST', should: 'SHOULD' } as const
const results = (verdicts: Verdicts) =>
  Object.entries(verdicts).map(([id, verdict]) =>
    result(id, { verdict, level: id.startsWith('should') ? levels.should : levels.must }),
  )
const at = (url: string, verdicts: Verdicts) => report(results(verdicts), { targets: { registry: { url } } })
const ids = (rows: readonly { readonly id: string }[] | undefined) => rows?.map(({ id }) => id)

const before = {
  'must.a': 'holds',
  'must.b': 'violated',
  'must.c': 'holds',
  'should.d': 'holds',
  'must.e': 'not-verified',
  'must.f': 'holds',
} as const
const after = {
  'must.a': 'violated',
  'must.b': 'holds',
  'must.c': 'not-verified',
  'should.d': 'deviates',
  'must.e': 'holds',
  'must.f': 'holds',
} as const

describe('two runs of one target', () => {
  const { changes, runs, rows } = compare([
    at('http://one', before),
    { ...at('http://one', after), startedAt: '2026-11-22T03:00:00.000Z' },
  ])

  test('say what changed from the first to the last', () => {
    expect(ids(changes?.broken)).toEqual(['must.a'])
    expect(ids(changes?.worse)).toEqual(['should.d'])
    expect(ids(changes?.mended)).toEqual(['must.b'])
    expect(ids(changes?.lost)).toEqual(['must.c'])
    expect(ids(changes?.gained)).toEqual(['must.e'])
  })

  test('are named by their time, and list nothing on which they agree', () => {
    expect(runs.map(({ name }) => name)).toEqual(['2026-11-21 03:00:00 UTC', '2026-11-22 03:00:00 UTC'])
    expect(ids(rows)).not.toContain('must.f')
  })

  test('what is violated anew is broken, also where it was not verified, or not there, before', () => {
    const later = compare([
      at('http://one', { 'must.a': 'not-verified' }),
      at('http://one', { 'must.a': 'violated', 'must.n': 'violated' }),
    ])
    expect(ids(later.changes?.broken)).toEqual(['must.a', 'must.n'])
  })
})

test('runs of several targets are put side by side, findings first, and nothing is said of changes', () => {
  const compared = compare([at('http://one', before), at('http://two', after), at('http://two', before)])
  expect(compared.changes).toBeUndefined()
  expect(compared.runs.map(({ name }) => name)).toEqual(['http://one', 'http://two', 'http://two (2)'])
  expect(ids(compared.rows)).toEqual(['must.a', 'must.b', 'should.d', 'must.c', 'must.e'])
  expect(compared.rows[0]?.verdicts).toEqual(['holds', 'violated', 'holds'])
})

test('what one run left out is no verdict, and other rules are said', () => {
  const left = report([result('must.a', { verdict: 'not-verified', cause: 'left-out' })], { profile: 'oci' })
  const { rows, caveats } = compare([report([result('must.a')]), left])
  expect(rows[0]?.verdicts).toEqual(['holds', undefined])
  expect(caveats).toEqual(['the runs differ in the profile: service, oci'])
})

describe('rendered', () => {
  const changed = compare([at('http://one', before), at('http://one', after)])
  const beside = compare([at('http://one', before), at('http://two\u001b[2J<b>', after)])

  test('on the terminal', () => {
    const text = comparedTerminal(changed, { colour: false, width: 100 })
    expect(text).toMatch(/Newly violated: 1 {2}from run 1 to run 2\n {2}✓ {2}✗ {2}must\.a MUST/)
    expect(text).toMatch(/Holds now: 1\n {2}✗ {2}✓ {2}must\.b MUST/)
    expect(text).toMatch(/MUST {3}holds +3 +3\n +violated +1 +1/)
    const other = comparedTerminal(beside, { colour: true, width: 100 })
    expect(other).not.toContain('\u001b[2J')
    expect(stripVTControlCharacters(other)).toContain('5 requirements on which they do not agree')
  })

  test('as Markdown', () => {
    const text = comparedMarkdown(changed)
    expect(text).toContain('### Newly violated: 1\n\n| requirement | | 1 | 2 |')
    expect(text).toContain('| <code>must.a</code> | MUST | ✅ | ❌ |')
    expect(comparedMarkdown(beside)).not.toContain('<b>')
  })

  test('as a page that loads nothing and lets nothing in', () => {
    const page = comparedHtml(beside)
    expect(page).toContain('default-src &#39;none&#39;')
    expect(page).not.toMatch(/<b>|<script|https?:\/\/[^<"]*\.(?:js|css)/)
    expect(page).toContain('<code>must.a</code>')
    expect(comparedHtml(changed)).toContain('<h1>1 newly violated</h1>')
  })
})
