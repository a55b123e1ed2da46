import { expect, test } from 'vitest'
import { answering, asking, rewriting, to, withBody, withHeaders, withStatus } from '../rewrite.ts'
import { copyOf, shadowOf, type WireSeam } from './shadow.ts'

const post = to('POST', /^\/x$/)

async function exchange(body = 'sent', answer = 'got') {
  const bytes = new TextEncoder().encode(body)
  const request = new Request('http://host/x', { method: 'POST', headers: { a: '1' }, body })
  const response = new Response(answer, { status: 201, headers: { b: '2' } })
  return copyOf({ request, body: bytes, response, connection: { url: '/x' } })
}

const changes = async (seam: WireSeam) => shadowOf(seam)(await exchange())

test('what a fault makes of the answer, of the request, or in place of both is a change', async () => {
  expect(await changes(rewriting(post, (response) => withStatus(response, 200)))).toBe(true)
  expect(await changes(rewriting(post, (response) => withHeaders(response, { b: null })))).toBe(true)
  expect(await changes(rewriting(post, (response) => withBody(response, () => 'not')))).toBe(true)
  expect(await changes(answering(post, () => new Response('got', { status: 201 })))).toBe(true)
  expect(await changes(asking(post, ({ url }) => new Request(`${url}?y`, { method: 'POST' })))).toBe(true)
  expect(
    await changes((next) => async (request, context) => {
      await next(request.clone(), context)
      return next(request, context)
    }),
  ).toBe(true)
})

test('what is made anew and says the same is none, and neither is a look at the connection', async () => {
  expect(await changes(rewriting(to('GET', /x/), (response) => withStatus(response, 500)))).toBe(false)
  expect(await changes(rewriting(post, (response) => withStatus(response, 201)))).toBe(false)
  const again: WireSeam = (next) => async (request, context) => {
    const { url, method, headers } = request
    const body = await request.arrayBuffer()
    return next(new Request(url, { method, headers, body }), { req: context['req'] })
  }
  expect(await changes(again)).toBe(false)
})

test('a fault that reaches for the connection of the answer, fails, or takes its time may have changed anything', async () => {
  const reaching: WireSeam = (next) => (request, context) =>
    context['res'] ? new Response() : next(request, context)
  expect(await changes(reaching)).toBe(true)
  expect(await changes(() => () => Promise.reject(new Error('broken')))).toBe(true)
  expect(await changes(() => () => new Promise<Response>(() => undefined))).toBe(true)
})

test('a fault remembers what it was shown, and one that read a body leaves it to the next', async () => {
  let seen = 0
  const third: WireSeam = (next) => async (request, context) => {
    await request.text()
    const response = await next(
      new Request(request.url, { method: 'POST', headers: request.headers, body: 'sent' }),
      context,
    )
    seen += 1
    return seen === 3 ? withStatus(response, 500) : response
  }
  const [one, other] = [
    shadowOf(third),
    shadowOf(
      asking(post, async (request) =>
        (await request.text()) === 'sent' ? new Request('http://host/read') : request,
      ),
    ),
  ]
  const shown = await exchange()
  expect([await one(shown), await one(shown), await other(shown), await one(shown)]).toEqual([
    false,
    false,
    true,
    true,
  ])
})
