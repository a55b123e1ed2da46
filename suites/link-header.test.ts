import { expect, test } from 'vitest'
import { createAnswer } from '../harness/answer.ts'
import { nextPage, parseLinks } from './link-header.ts'

const answer = (link: string) =>
  createAnswer('GET', 'http://registry.example/v2/a/tags/list?n=1', 200, [['link', link]], new Uint8Array())

test.for([
  ['</v2/a/tags/list?n=1&last=b>; rel="next"', 'http://registry.example/v2/a/tags/list?n=1&last=b'],
  ['<?n=1&last=b>; rel=next', 'http://registry.example/v2/a/tags/list?n=1&last=b'],
  ['<https://other.example/x,y;z>;title="a, \\"b\\"";REL="prev Next"', 'https://other.example/x,y;z'],
  ['</first>; rel="first", </second>; rel="next"', 'http://registry.example/second'],
] as const)('%s leads to %s', ([header, url]) => {
  expect(nextPage(answer(header))).toBe(url)
})

test.for([
  '/v2/a/tags/list; rel="next"',
  '</v2/>; rel="prev"',
  '</v2/>',
  '</v2/>; rel="prev"; rel="next"',
  '</v2/>; rel="next',
] as const)('%s leads nowhere, and that is a finding', (header) => {
  expect(() => nextPage(answer(header))).toThrow('rel="next"')
})

test('text that is no header is told from a header without links', () => {
  expect(parseLinks('')).toEqual([])
  expect(parseLinks('<a>; rel=next </b>')).toBeUndefined()
})
