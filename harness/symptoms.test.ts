import { expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { symptoms } from './symptoms.ts'

const exchange = (
  method: string,
  path: string,
  status: number,
  digests: readonly string[] = [],
): Exchange => ({
  request: {
    method,
    url: `http://registry.test${path}`,
    headers: [],
    ...(digests[0] && { body: { size: 2, digest: digests[0] } }),
  },
  response: { status, headers: [], ...(digests[1] && { body: { size: 2, digest: digests[1] } }) },
  durationMs: 1,
  startedAt: '2026-11-21T00:00:00Z',
})

const result = (exchanges: readonly Exchange[], reason = '', cause?: 'prerequisite-failed') => ({
  verdict: 'violated' as const,
  reason,
  exchanges,
  ...(cause && { cause }),
})

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

test('a target with a few broken rules has no symptom', () => {
  const fine = times(30, (i) =>
    result([
      exchange('PUT', `/v2/a/manifests/${i}`, 201, ['x']),
      exchange('GET', `/v2/a/manifests/${i}`, 200, ['', 'x']),
    ]),
  )
  const odd = times(5, () =>
    result([exchange('GET', '/v2/', 500)], 'starting an upload answered 500', 'prerequisite-failed'),
  )
  expect(symptoms([...fine, ...odd.slice(0, 2)])).toEqual([])
})

test('the same answer to everything is told with its status', () => {
  const all = times(20, (i) => result([exchange('GET', `/${i}`, 404), exchange('HEAD', `/${i}`, 200)]))
  expect(symptoms(all)).toEqual([
    'http://registry.test answered all of 20 requests with 404 and an empty body',
  ])
  expect(symptoms(all.slice(1))).toEqual([])
})

test('what is acknowledged and gone, or something else afterwards, is told; what was deleted is not', () => {
  const pushed = (status: number, body: string) => (i: number) => [
    exchange('PUT', `/upload?digest=sha256:${i}`, 201, ['x']),
    exchange('GET', `/v2/a/blobs/sha256:${i}`, status, ['', body]),
  ]
  const gone = times(20, (i) => result(pushed(404, '')(i)))
  expect(symptoms(gone)).toContain(
    'what was pushed and acknowledged with 201 was not there when read back, 20 of 20 times',
  )
  const other = times(20, (i) => result(pushed(200, 'y')(i)))
  expect(symptoms(other)).toContain(
    'what was pushed and acknowledged with 201 came back as something else, 20 of 20 times',
  )
  const deleted = times(20, (i) => result([...pushed(404, '')(i), exchange('DELETE', '/', 202)]))
  expect(symptoms(deleted)).toEqual([])
})

test('answers that break down now and then are counted', () => {
  const all = times(30, (i) => result([exchange('GET', `/${i}`, i % 10 === 0 ? 503 : 200, ['', String(i)])]))
  expect(symptoms(all)).toEqual(['3 of 30 requests got a 5xx, or no whole answer'])
  // What several requirements read is in the record of each.
  expect(symptoms([...all, ...all])).toEqual(symptoms(all))
})

test('the step at which most requirements end is named once, without the names in it', () => {
  const all = times(20, (i) =>
    result([], `POST http://registry.test/${i} answered 405`, 'prerequisite-failed'),
  )
  expect(symptoms(all)).toEqual(['20 requirements got no further than this: POST … answered 405'])
})
