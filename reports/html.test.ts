import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { RequirementResult } from '../harness/report.ts'
import { html } from './html.ts'
import { everyVerdict, exchange, report, result } from './sample.test-data.ts'

const page = html(report(everyVerdict))

/** What the page carries packed, as HTML by id. */
function unpacked(text: string): Record<string, string> {
  const packed = text.match(/<script type="application\/gzip" id="held">([^<]*)<\/script>/)?.[1] ?? ''
  return packed === '' ? {} : JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString())
}

test('is readable without its script: verdict, findings with their exchanges, reasons, capabilities', () => {
  const text = page.replaceAll(/<script[\s\S]*?<\/script>/g, '')
  for (const part of [
    '<h1>Non-conformant</h1>',
    '1 of 6 requirements are violated MUSTs',
    'A chunk that does not follow the last one is refused with 416.',
    '<h4>Expected</h4><pre>status 416</pre>',
    '<h4>Seen</h4><pre>status 202</pre>',
    '0123456789',
    'curl -sS -i http://127.0.0.1:5000/v2/',
    'The target file gives no signingKey.',
    'GET of referrers answered 404.',
    'assay test --registry http://127.0.0.1:5000 --seed 20261121',
  ]) {
    expect(text).toContain(part)
  }
  expect(text).toMatch(/<details open><summary><b class="method">PATCH/)
  expect(text).toMatch(/<details><summary><b class="method">DELETE/)
})

test('carries the exchanges of what holds packed', () => {
  expect(Object.keys(unpacked(page))).toEqual(['oci.pull.manifest.get.by-tag.200'])
  expect(unpacked(page)['oci.pull.manifest.get.by-tag.200']).toContain('<b class="method">GET</b>')
})

test('every link within the page leads somewhere, and every id is there once', () => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  const targets = [...page.matchAll(/href="#([^"/]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(targets.filter((id) => !ids.includes(id))).toEqual([])
  for (const { id } of everyVerdict) expect(ids).toContain(id)
})

test('loads nothing, and its policy lets its own script run and no other', () => {
  expect(page).not.toMatch(/<(link|script|img|iframe)[^>]* (src|href)="(?!data:)/)
  expect(page).not.toMatch(/@import|url\((?!#)/)
  const script = page.match(/<script type="module">([\s\S]*)<\/script>/)?.[1] ?? ''
  const style = page.match(/<style>([\s\S]*?)<\/style>/)?.[1] ?? ''
  const policy = page
    .match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1]
    ?.replaceAll('&#39;', "'")
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  expect(script).toContain('DecompressionStream')
  expect(policy).toContain(`script-src ${hash(script)};`)
  expect(policy).toContain(`style-src ${hash(style)};`)
  expect(page).not.toMatch(/<[^>]* (style|on\w+)=/)
})

test('nothing that comes from a target becomes markup', () => {
  const hostile = `</pre></script><img src=x onerror="alert(1)"><script>alert('2')</script>&lt;b&gt;\u202e`
  const url = `javascript:alert(3)//"><img src=x>`
  const parts: Partial<RequirementResult> = {
    statement: hostile,
    reason: hostile,
    expected: hostile,
    seen: hostile,
    reproduce: hostile,
    source: { document: hostile, section: hostile, url },
    exchanges: [
      exchange(
        { method: hostile, url, headers: [[hostile, hostile]], body: { size: 1, text: hostile } },
        { status: 200, headers: [[hostile, hostile]], body: { size: 9, text: hostile } },
      ),
    ],
  }
  const text = html(
    report(
      [
        result('a.holds', parts),
        result('a.violated', { ...parts, verdict: 'violated' }),
        result('a.known', {
          ...parts,
          verdict: 'violated',
          baseline: { reason: hostile, expires: '2030-01-01' },
        }),
        result('a.skipped', { ...parts, verdict: 'not-verified' }),
      ],
      {
        command: hostile,
        namespace: hostile,
        targets: { registry: { url } },
        capabilities: { [hostile]: { offered: true, reason: hostile } },
        summary: { ...report([]).summary, verdict: 'non-conformant', reasons: [hostile] },
      },
    ),
  )
  for (const markup of [text, ...Object.values(unpacked(text))]) {
    expect(markup).not.toMatch(/<img/)
    expect(markup).not.toMatch(/<script>/)
    expect(markup).not.toMatch(/href="javascript/)
    expect(markup).not.toContain('\u202e')
  }
  expect(text.match(/<\/script>/g)).toHaveLength(2)
  expect(text).toContain('&#38;lt;b&#38;gt;')
})

test('leaves out evidence rather than grow beyond its limit, what holds first, and says so', () => {
  const noise = (seed: string) =>
    Array.from({ length: 40 }, (_, index) =>
      createHash('sha512').update(`${seed} ${index}`).digest('hex'),
    ).join('')
  const long = (seed: string) => exchange({}, { body: { size: 5120, text: noise(seed) } })
  const fails = { verdict: 'violated', seen: 'status 202' } as const
  const results = [
    ...Array.from({ length: 50 }, (_, index) =>
      result(`a.holds-${index}`, { exchanges: [long(`holds ${index}`)] }),
    ),
    ...Array.from({ length: 20 }, (_, index) =>
      result(`a.fails-${index}`, { ...fails, exchanges: [long('fails'), exchange({}, { status: 202 })] }),
    ),
  ]
  const whole = html(report(results), { limit: 10_000_000 })
  expect(Object.keys(unpacked(whole))).toHaveLength(50)
  const sizes = [250_000, 180_000, 105_000].map((limit) => {
    const text = html(report(results), { limit })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
    return {
      held: Object.keys(unpacked(text)).length,
      evidence: text.includes(noise('fails')),
      decisive: text.includes('<b class="method">GET</b>'),
    }
  })
  expect(sizes).toEqual([
    { held: 0, evidence: true, decisive: true },
    { held: 0, evidence: false, decisive: true },
    { held: 0, evidence: false, decisive: false },
  ])
})
