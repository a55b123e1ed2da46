import { expect, test } from 'vitest'
import { withBody } from './rewrite.ts'

test('a changed body has its length, and announces no trailers, with which Node would refuse to send it', async () => {
  const streamed = new Response('all of it', { headers: { trailer: 'X-Stream-Error' } })
  const changed = await withBody(streamed, (bytes) => bytes.slice(0, 3))
  expect(Object.fromEntries(changed.headers)).toEqual({
    'content-length': '3',
    'content-type': 'text/plain;charset=UTF-8',
  })
  expect(await changed.text()).toBe('all')
})
