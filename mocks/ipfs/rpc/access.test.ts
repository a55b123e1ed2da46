import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedNode, serveNode } from '../served-node.contract.ts'

let served: ServedNode
beforeAll(async () => {
  served = await serveNode()
})
afterAll(() => served[Symbol.asyncDispose]())

const port = () => new URL(served.rpc).port

test.for([
  ['a page of another site', { Origin: 'http://evil.example' }, 403],
  ['a link on another site', { Referer: 'http://evil.example/page' }, 403],
  ['a browser that names no origin', { 'User-Agent': 'Mozilla/5.0' }, 403],
  ['Electron', { 'User-Agent': 'Mozilla/5.0 Electron/30' }, 200],
  ['a client', { 'User-Agent': 'curl/8' }, 200],
  ['another release of the command line', { 'User-Agent': '/kubo/0.1.0/' }, 400],
] as const)('answers %s', async ([, headers, status]) => {
  expect((await served.post('id', { headers })).status).toBe(status)
})

test('admits pages of its own origin and names it', async () => {
  const origin = `http://127.0.0.1:${port()}`
  const response = await served.post('version', { headers: { Origin: origin } })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
})

test('reads by GET where the specification does, and nowhere else', async () => {
  const { rpc } = served
  for (const path of ['id', 'repo/stat', 'stats/repo'])
    expect((await fetch(`${rpc}/${path}`)).status).toBe(200)
  const refused = await fetch(`${rpc}/version`)
  expect(refused.status).toBe(405)
  expect(refused.headers.get('allow')).toBe('OPTIONS, POST')
  expect(await refused.text()).toBe('405 - Method Not Allowed\n')
})

test('refuses GET everywhere when strict', async () => {
  await using strict = await serveNode({ strict: true })
  for (const path of ['id', 'repo/stat', 'cat?arg=x']) {
    expect((await fetch(`${strict.rpc}/${path}`)).status).toBe(405)
  }
})
