import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { findAssertions } from './find.ts'
import { switchAssertions } from './plugin.ts'

/** What is found in a piece of code, as its text. */
const found = (code: string) => findAssertions(parseAst(code)).map(({ start, end }) => code.slice(start, end))

test.each([
  ['a call', 'expectStatus(answer, 200)', ['expectStatus(answer, 200)']],
  [
    'one in another',
    'expectThat(expectHeader(a, b) > c)',
    ['expectThat(expectHeader(a, b) > c)', 'expectHeader(a, b)'],
  ],
  ['a whole chain of Vitest', 'expect(tags).not.toContain(tag)', ['expect(tags).not.toContain(tag)']],
  [
    'what a chain is given',
    'expect(expectTags(a)).toEqual(b)',
    ['expect(expectTags(a)).toEqual(b)', 'expectTags(a)'],
  ],
  ['a finding that is thrown', 'if (a) throw new Finding(b, c)', ['throw new Finding(b, c)']],
  [
    'a reading that nobody takes',
    'await bodyOf(a); tagsIn(await b); const c = tagsIn(d)',
    ['bodyOf(a)', 'tagsIn(await b)'],
  ],
  ['no step, no other error', "need('x', a, 1); throw new PrerequisiteFailure(a); expected(a)", []],
])('%s', (_, code, texts) => {
  expect(found(code)).toEqual(texts)
})

test('an assertion is named after its test, or after the outermost function', () => {
  const code = `
    test('oci.a.b', async () => { const check = () => expectThat(a); expectThat(a) })
    test('oci.a.c', async () => expectThat(a))
    const shared = () => { function inner() { expectThat(b); expectThat(b) } }`
  const { assertions } = switchAssertions(code, '/suites/x.suite.js', parseAst)
  expect(assertions.map(({ within, text }) => `${within}: ${text}`)).toEqual([
    'oci.a.b: expectThat(a)',
    'oci.a.b: expectThat(a) #2',
    'oci.a.c: expectThat(a)',
    'suites/x.suite.js shared: expectThat(b)',
    'suites/x.suite.js shared: expectThat(b) #2',
  ])
})

test('a finding that is left out leaves the branches as they were', () => {
  const { code } = switchAssertions(
    'if (a) throw new Finding(b, c); else d()',
    '/suites/x.suite.js',
    parseAst,
  )
  expect(code).toContain(
    'if (a) { if (!__omitted("suites/x.suite.js:1:8")) throw new Finding(b, c); } else d()',
  )
})
