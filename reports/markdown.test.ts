import { expect, test } from 'vitest'
import { markdown } from './markdown.ts'
import { code, fenced, inline, link } from './markdown-text.ts'
import { everyVerdict, exchange, report, result } from './sample.test-data.ts'

test('puts verdict and counts first, then findings, then what was not verified', () => {
  const text = markdown(report(everyVerdict))
  const places = [
    '## ❌ Non-conformant',
    '| registry | MUST | 1 | 1 | 0 | 1 | 0 |',
    '<details open><summary>❌ <code>oci.push.blob.chunk.out-of-order.416</code> · MUST · violated</summary>',
    '<details><summary>⚠️ <code>oci.discovery.tags.sorted</code> · SHOULD · deviates</summary>',
    '2 requirements not verified</summary>',
    'assay test --registry http://127.0.0.1:5000 --seed 20261121',
  ].map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('leaves out findings rather than exceed what GitHub takes', () => {
  const big = exchange({}, { body: { size: 4000, text: '💥'.repeat(1000) } })
  const failures = Array.from({ length: 600 }, (_, index) =>
    result(`a.number-${index}`, { verdict: 'violated', exchanges: [big], reproduce: 'x'.repeat(9000) }),
  )
  const text = markdown(report(failures))
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900_000)
  expect(Buffer.byteLength(text)).toBeGreaterThan(800_000)
  expect(text).toMatch(/… and \d+ more findings in the full report\./)
  expect(text).toContain('assay test --registry')
})

test.for([
  ['<b>&amp;', '&#60;b&#62;&#38;amp;'],
  ['a|b `c` *d* _e_ [f](g)', 'a\\|b \\`c\\` \\*d\\* \\_e\\_ \\[f\\]\\(g\\)'],
  ['1. x', '\\1. x'],
  ['- x\n\n# y', '\\- x \\#&#8203; y'],
  ['ask @someone about #12 at http://x', 'ask \\@&#8203;someone about \\#&#8203;12 at http:&#8203;//x'],
] as const)('text stays text: %s', ([text, expected]) => {
  expect(inline(text)).toBe(expected)
})

test('code cannot end its span or its fence, and no link leads to a script', () => {
  expect(code('</code>`|\n@x')).toBe('<code>&#60;/code&#62;&#96;&#124; &#64;x</code>')
  expect(fenced('a\n````\nb')).toBe('`````\na\n````\nb\n`````')
  expect(link('spec', 'javascript:alert(1)')).toBe('spec')
  expect(link('spec', 'https://x/y#z')).toBe('[spec](https://x/y#z)')
})
