import { once } from 'node:events'
import { get } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Handler } from './handler.ts'
import { type Served, serve } from './serve.ts'

let served: Served
afterEach(() => served.close())

const piece = new Uint8Array(256 * 1024)

function pieces(count: number, then: () => void = () => undefined) {
  const state = { pulled: 0, left: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.pulled === count) {
          then()
          return controller.close()
        }
        state.pulled += 1
        controller.enqueue(piece.slice())
      },
      cancel() {
        state.left = true
      },
    },
    { highWaterMark: 0 },
  )
  return { state, body }
}

async function answering(handler: Handler): Promise<string> {
  served = await serve(handler)
  return served.url
}

test('a body of any size is sent at the pace of the client, and ends when the client leaves', async () => {
  const { state, body } = pieces(4000)
  const url = await answering(() => new Response(body))
  const request = get(url)
  const [response] = await once(request, 'response')
  response.pause()
  const settled = async () => {
    for (let before = -1; before !== state.pulled; ) {
      before = state.pulled
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return state.pulled
  }
  expect(await settled()).toBeLessThan(100)
  request.destroy()
  while (!state.left) await new Promise(setImmediate)
  expect(state.pulled).toBeLessThan(100)
})

test('a body that fails ends the connection, and the server goes on', async () => {
  const url = await answering(({ url }) =>
    url.endsWith('/fine')
      ? new Response('fine')
      : new Response(
          pieces(3, () => {
            throw new Error('on the way')
          }).body,
        ),
  )
  const response = await fetch(url)
  expect(response.status).toBe(200)
  await expect(response.arrayBuffer()).rejects.toThrow('terminated')
  expect(await (await fetch(`${url}/fine`)).text()).toBe('fine')
})

test('headers arrive before a body that takes its time', async () => {
  let begin = (_: string) => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      begin = (text) => {
        controller.enqueue(Buffer.from(text))
        controller.close()
      }
    },
  })
  const url = await answering(() => new Response(body, { status: 202, headers: { 'x-early': 'yes' } }))
  const response = await fetch(url)
  expect([response.status, response.headers.get('x-early')]).toEqual([202, 'yes'])
  begin('late')
  expect(await response.text()).toBe('late')
})

test('a response without a body, and one to HEAD, keep their headers', async () => {
  const url = await answering(() => new Response(null, { status: 200, headers: { 'content-length': '17' } }))
  const response = await fetch(url, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '17'])
})
