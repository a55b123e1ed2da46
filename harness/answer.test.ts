import { expect, test } from 'vitest'
import { createAnswer, headerList } from './answer.ts'

const answer = (body: string | Uint8Array, ...headers: readonly (readonly [string, string])[]) =>
  createAnswer('GET', 'http://127.0.0.1/', 200, headers, Buffer.from(body))

test('raw headers are a flat list of names and values, as text or bytes', () => {
  const raw = ['A', '1', Buffer.from('B'), Buffer.from([0xe9]), 'C']
  expect(headerList(raw)).toEqual([
    ['A', '1'],
    ['B', '\u00e9'],
  ])
  expect(headerList([])).toEqual([])
  expect(headerList(['A', '\t 1 2 \t'])).toEqual([['A', '1 2']])
  expect(headerList([undefined, 'x'])).toEqual([['', 'x']])
})

test('a header is found whatever the case of its name; several are joined', () => {
  const seen = answer('', ['Link', '<a>'], ['ETag', '"e"'], ['link', '<b>'])
  expect(seen.header('LINK')).toBe('<a>, <b>')
  expect(seen.headerValues('link')).toEqual(['<a>', '<b>'])
  expect(seen.header('etag')).toBe('"e"')
  expect(seen.header('location')).toBeUndefined()
})

test('text and JSON are read from the bytes of the body alone', () => {
  const bytes = Buffer.from('x{"a":"\u00e9"}y').subarray(1, -1)
  const seen = createAnswer('GET', 'http://127.0.0.1/', 200, [], bytes)
  expect(seen.text()).toBe('{"a":"\u00e9"}')
  expect(seen.json()).toEqual({ a: '\u00e9' })
  expect(() => answer('{').json()).toThrow(SyntaxError)
})
