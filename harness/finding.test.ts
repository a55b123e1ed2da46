import { describe, expect, test } from 'vitest'
import { type Answer, createAnswer } from './answer.ts'
import {
  expectBytes,
  expectContent,
  expectHeader,
  expectJson,
  expectNoHeader,
  expectRefusal,
  expectStatus,
  expectThat,
  Finding,
} from './finding.ts'

const digest = `sha256:${'ab'.repeat(32)}`
const url = `https://registry.example/v2/a/manifests/${digest}?n=1`
const answer = (
  status: number,
  body: Uint8Array | string = '',
  headers: readonly (readonly [string, string])[] = [],
): Answer => createAnswer('GET', url, status, headers, Buffer.from(body))

function halves(act: () => unknown): Pick<Finding, 'expected' | 'seen' | 'message' | 'name'> | undefined {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    const { expected, seen, message, name } = error
    return { expected, seen, message, name }
  }
  return undefined
}
const found = (act: () => unknown) => {
  const { expected, seen } = halves(act) ?? {}
  return [expected, seen]
}
const asked = 'GET /v2/a/manifests/sha256:abababababab…'

test('a finding has a name that survives a thread, and both halves in its message', () => {
  expect(halves(() => expectThat(false, 'a tag', 'none'))).toEqual({
    name: 'Finding',
    expected: 'a tag',
    seen: 'none',
    message: 'expected a tag, seen none',
  })
  expect(halves(() => expectThat(true, 'a tag', 'none'))).toBeUndefined()
})

describe('expectStatus', () => {
  test('takes each of the statuses and no other', () => {
    expect(halves(() => expectStatus(answer(200), 200))).toBeUndefined()
    expect(halves(() => expectStatus(answer(202), 200, 202))).toBeUndefined()
    expect(found(() => expectStatus(answer(204), 200, 202))).toEqual([`200 or 202 on ${asked}`, '204'])
  })

  test('shows the beginning of a text, on one line, and nothing of what is no text', () => {
    expect(found(() => expectStatus(answer(500, ' out\n  of   space '), 200))[1]).toBe('500 (out of space)')
    expect(found(() => expectStatus(answer(500, 'x'.repeat(200)), 200))[1]).toBe(`500 (${'x'.repeat(160)})`)
    expect(found(() => expectStatus(answer(500, 'a\u0000b'), 200))[1]).toBe('500')
    expect(found(() => expectStatus(answer(500, new Uint8Array([0xff, 0x61])), 200))[1]).toBe('500')
  })
})

test.each([
  [399, false],
  [400, true],
  [499, true],
  [500, false],
  [200, false],
])('expectRefusal: %d is a refusal: %s', (status, refusal) => {
  expect(halves(() => expectRefusal(answer(status))) === undefined).toBe(refusal)
})

test('expectRefusal says what was asked', () => {
  expect(found(() => expectRefusal(answer(201, 'ok')))).toEqual([`a refusal (4xx) on ${asked}`, '201 (ok)'])
})

describe('expectHeader', () => {
  const tagged = answer(200, '', [['ETag', '"a"']])

  test('gives the value of a header that is there, is that, or matches', () => {
    expect(expectHeader(tagged, 'etag')).toBe('"a"')
    expect(expectHeader(tagged, 'etag', '"a"')).toBe('"a"')
    expect(expectHeader(tagged, 'etag', /^"/)).toBe('"a"')
  })

  test('finds what is absent, another value, and no match', () => {
    expect(found(() => expectHeader(answer(200), 'etag'))).toEqual([`a etag header on ${asked}`, 'none'])
    expect(found(() => expectHeader(tagged, 'etag', '"b"'))).toEqual([`etag: "b" on ${asked}`, 'etag: "a"'])
    expect(found(() => expectHeader(tagged, 'etag', '"a'))).toEqual([`etag: "a on ${asked}`, 'etag: "a"'])
    expect(found(() => expectHeader(tagged, 'etag', /b/))).toEqual([`etag: /b/ on ${asked}`, 'etag: "a"'])
  })

  test('an empty value is a value', () => {
    expect(expectHeader(answer(200, '', [['x', '']]), 'x')).toBe('')
  })

  test('expectNoHeader finds a header, also an empty one', () => {
    expect(halves(() => expectNoHeader(answer(200), 'etag'))).toBeUndefined()
    expect(found(() => expectNoHeader(tagged, 'etag'))).toEqual([`no etag header on ${asked}`, 'etag: "a"'])
    expect(found(() => expectNoHeader(answer(200, '', [['x', '']]), 'x'))[1]).toBe('x: ')
  })
})

describe('expectBytes', () => {
  const wanted = Buffer.from('abc')
  const abc = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

  test('takes these bytes', () => {
    expect(halves(() => expectBytes(answer(200, 'abc'), wanted))).toBeUndefined()
  })

  test('tells where bytes differ, or that there are more or fewer', () => {
    expect(found(() => expectBytes(answer(200, 'abd'), wanted))).toEqual([
      `the 3 bytes with ${abc}`,
      expect.stringMatching(/^3 bytes with sha256:[0-9a-f]{64}; the first wrong one is at 2$/),
    ])
    expect(found(() => expectBytes(answer(200, 'abcd'), wanted))[1]).toMatch(
      /^4 bytes with sha256:[0-9a-f]{64}$/,
    )
    expect(found(() => expectBytes(answer(200, ''), wanted))[1]).toMatch(/^0 bytes with sha256:e3b0/)
  })
})

test('expectContent takes these bytes with 200 alone', () => {
  const wanted = Buffer.from('abc')
  expect(halves(() => expectContent(answer(200, 'abc'), wanted))).toBeUndefined()
  expect(found(() => expectContent(answer(203, 'abc'), wanted))[1]).toBe('203 (abc)')
  expect(found(() => expectContent(answer(200, 'abd'), wanted))[0]).toMatch(/^the 3 bytes with /)
})

test('expectJson gives the value, and finds what is no JSON', () => {
  expect(expectJson(answer(200, '{"a":[1]}'))).toEqual({ a: [1] })
  expect(found(() => expectJson(answer(200, '<p>')))).toEqual([
    `a JSON body on ${asked}`,
    '3 bytes that are not JSON (<p>)',
  ])
})

test('what is not there at all can be seen too', () => {
  const nothing = JSON.stringify(undefined)
  expect(found(() => expectThat(false, 'a member', nothing))).toEqual(['a member', 'undefined'])
})
