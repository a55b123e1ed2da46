import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { RequirementResult } from '../harness/report.ts'
import { junit } from './junit.ts'
import { everyVerdict, exchange, report, result } from './sample.test-data.ts'

/** The test case of an id, as text. */
function caseOf(xml: string, id: string): string {
  const start = xml.indexOf(`name="${id}"`)
  const rest = xml.slice(xml.lastIndexOf('<testcase', start))
  const head = rest.slice(0, rest.indexOf('>') + 1)
  return head.endsWith('/>') ? head : rest.slice(0, rest.indexOf('</testcase>'))
}

const only = (parts: Partial<RequirementResult>, options?: { strict?: boolean }) =>
  caseOf(junit(report([result('oci.pull.x', parts)]), options), 'oci.pull.x')

test('gives each verdict its element, with message, type and text', () => {
  const xml = junit(report(everyVerdict))
  const violated = caseOf(xml, 'oci.push.blob.chunk.out-of-order.416')
  expect(violated).toContain('classname="assay.registry.oci.push"')
  expect(violated).toContain(
    '<failure message="A chunk that does not follow the last one is refused with 416." type="violated MUST">',
  )
  expect(violated).toMatch(/expected: status 416\nseen: {5}status 202/)
  expect(violated).toContain('PATCH http://127.0.0.1:5000/v2/conformance/a/blobs/uploads/6e1f')
  expect(caseOf(xml, 'storage.gc.unpinned')).toContain(
    '<error message="TypeError: x is not a function" type="error">',
  )
  expect(caseOf(xml, 'auth.verify.expired.401')).toContain(
    '<skipped message="The target file gives no signingKey."/>',
  )
  expect(caseOf(xml, 'oci.pull.manifest.get.by-tag.200')).toMatch(/time="0.012"\/>$/)
})

test('counts what it contains', () => {
  const xml = junit(report(everyVerdict))
  expect(xml).toContain('<testsuites name="assay" tests="7" failures="2" errors="1" time="4.210">')
  expect(xml).toMatch(
    /<testsuite name="assay.registry" tests="4" failures="1" errors="0" skipped="1" [^>]*timestamp="2026-11-21T03:00:00.000Z"/,
  )
  expect(xml).toContain('<property name="seed" value="20261121"/>')
})

test('a deviation passes with its evidence, and fails where deviations count', () => {
  const deviates = { level: 'SHOULD', verdict: 'deviates', seen: 'b, a' } as const
  expect(only(deviates)).toMatch(/<system-out>deviates \(SHOULD\)[^<]*seen: {5}b, a/)
  expect(only(deviates)).not.toContain('<failure')
  expect(only(deviates, { strict: true })).toContain('type="deviates SHOULD"')
})

test('what the baseline names is skipped until its entry expires, and an entry that is not needed is reported', () => {
  const baseline = { reason: 'issue 7', expires: '2026-11-21' }
  const violated = { verdict: 'violated', seen: '202' } as const
  expect(only({ ...violated, baseline })).toContain('<skipped message="known: issue 7, until 2026-11-21"/>')
  expect(only({ ...violated, baseline: { ...baseline, expires: '2026-11-20' } })).toContain('<failure')
  expect(only({ baseline })).toContain('remove the entry')
})

test('a run that is not conformant fails a case of its own, as viewers show skips as green', () => {
  const skipped = report([result('a.b', { verdict: 'not-verified' })])
  const unverified = {
    ...skipped,
    summary: { ...skipped.summary, verdict: 'not-verified', reasons: ['Nothing was verified.'] },
  } as const
  expect(caseOf(junit(unverified), 'assay.verdict')).toContain(
    '<failure message="not-verified: Nothing was verified." type="not-verified">',
  )
  expect(caseOf(junit(report([result('a.b')])), 'assay.verdict')).toMatch(/\/>$/)
})

/** From Debian's libxml2-utils; without it, well-formedness is judged by the characters alone. */
const xmllint = 'xmllint'

const hostile = '\0\x07\x1b[31m\ufffe\ud800 ]]> </failure><!-- & " \' \r\n\t💥'

test('stays well-formed whatever the target sends', (context) => {
  const xml = junit(
    report([
      result('a.hostile', {
        verdict: 'violated',
        reason: hostile,
        expected: hostile,
        seen: hostile,
        exchanges: [
          exchange({}, { status: 200, headers: [['x', hostile]], body: { size: 9, text: hostile } }),
        ],
      }),
      result('a.known', { verdict: 'violated', baseline: { reason: hostile, expires: '2030-01-01' } }),
      result('a.skipped', { verdict: 'not-verified', reason: hostile }),
    ]),
  )
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u)
  expect(xml).not.toContain(']]>')
  expect(xml).not.toContain('<!--')
  const lint = spawnSync(xmllint, ['--noout', '-'], { input: xml, encoding: 'utf8' })
  if (lint.error) context.skip('xmllint is not installed')
  expect(lint.stderr).toBe('')
  expect(lint.status).toBe(0)
})

test('keeps the output of a case within 8 KiB', () => {
  const long = only({ verdict: 'violated', seen: '💥'.repeat(5000), reproduce: 'x'.repeat(20_000) })
  const text = long.slice(long.indexOf('<failure'), long.indexOf('</failure>'))
  expect(Buffer.byteLength(text)).toBeLessThan(8 * 1024 + 200)
  expect(text).toMatch(/… \(cut\)$/)
})
