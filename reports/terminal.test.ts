import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { everyVerdict, exchange, report, result } from './sample.test-data.ts'
import { terminal } from './terminal.ts'

const plain = (...parameters: Parameters<typeof report>) =>
  terminal(report(...parameters), { colour: false, width: 80 })

test('tells a violated MUST with its evidence and how to repeat it', () => {
  const text = terminal(report(everyVerdict), { colour: false, width: 100 })
  expect(text).toContain(`✗ oci.push.blob.chunk.out-of-order.416  MUST violated
  A chunk that does not follow the last one is refused with 416.
  expected  status 416
  seen      status 202
  The second chunk was sent before the first and was accepted.

  │ PATCH http://127.0.0.1:5000/v2/conformance/a/blobs/uploads/6e1f → 202 (2.5 ms)
  │ Range: 0-9

  https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests
  $ #!/bin/sh
  $ curl -sS -i http://127.0.0.1:5000/v2/
`)
})

test('counts by interface and level, and what was not verified by reason', () => {
  const text = plain(everyVerdict)
  expect(text).toMatch(/registry +MUST +1 +1 +· +1 +·\n +SHOULD +· +· +1 +· +·\n {2}token +MUST/)
  expect(text).toContain(`2 requirements not verified
  a prerequisite failed
     1  The token could not be fetched: status 500.
  not configured
     1  The target file gives no signingKey.
`)
})

test('ends with the verdict, the seed and the reports, and nothing after them', () => {
  const text = terminal(report(everyVerdict), {
    colour: false,
    width: 80,
    paths: ['assay-report/report.html'],
  })
  expect(
    text.endsWith(`
non-conformant: 1 of 6 requirements are violated MUSTs; Assay failed on 1.
seed 20261121 · service · OCI 1.1 · 4.2 s
→ assay-report/report.html
`),
  ).toBe(true)
})

test('a conformant run is a few lines', () => {
  expect(plain([result('a.b')])).toBe(`                      hold
  registry   MUST        1

conformant: all 1 MUST that apply were verified and hold.
seed 20261121 · service · OCI 1.1 · 4.2 s
`)
})

test('colour is only colour', () => {
  const bare = terminal(report(everyVerdict), { colour: false, width: 80 })
  const painted = terminal(report(everyVerdict), { colour: true, width: 80 })
  expect(painted).toContain('\x1b[')
  expect(stripVTControlCharacters(painted)).toBe(bare)
})

test('nothing that a target sends can steer the terminal', () => {
  const hostile = '\x1b[2J\x07\r\x9b1m\u202e'
  const headers = [['Location', hostile]] as const
  const text = plain([
    result('a.b', {
      verdict: 'violated',
      reason: hostile,
      expected: hostile,
      seen: hostile,
      exchanges: [exchange({}, { status: 200, headers, body: { size: 9, text: hostile } })],
    }),
    result('a.c', { verdict: 'not-verified', reason: hostile }),
  ])
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
  expect(text).toContain('␛[2J␇␍')
})

test('a long line of an exchange loses its middle, not its status', () => {
  const url = `http://127.0.0.1:5000/v2/${'x'.repeat(200)}`
  const text = plain([result('a.b', { verdict: 'violated', exchanges: [exchange({ url })] })])
  expect(text).toMatch(/ │ GET http:\/\/127\.0\.0\.1:5000\/v2\/x+…x+ → 200 \(2\.5 ms\)\n/)
  expect(text.split('\n').filter((line) => line.includes('│') && line.length > 80)).toEqual([])
})

test('a long script is named by its place, and many failures by their sentences', () => {
  const failures = Array.from({ length: 40 }, (_, index) =>
    result(`a.number-${index}`, { verdict: 'violated', seen: 'status 200', reproduce: 'true\n'.repeat(40) }),
  )
  const text = terminal(report(failures), { colour: false, width: 80, paths: ['out/report.html'] })
  expect(text).toContain('curl script: out/report.html#a.number-0')
  expect(text).toContain('✗ a.number-39  MUST violated\n  The registry does what a.number-39 says.\n')
  expect(text.match(/seen {6}status 200/g)).toHaveLength(30)
})
