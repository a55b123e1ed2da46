import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { Seams } from '../../mocks/control/fault.ts'
import { type Stack, startStack } from '../../mocks/stack.ts'
import type { Fault } from '../fault.ts'
import { asking, rewriting, to, withStatus } from '../rewrite.ts'
import { createWatch } from './watch.ts'

const fault = (id: string, seams: Seams): Fault<Seams> => ({
  ...{ id, what: id, kind: 'cosmetic', breaks: [], seams },
})
const teapot = (method: string, where: RegExp): Seams => ({
  registry: rewriting(to(method, where), (response) => withStatus(response, 418)),
})
const faults = [
  fault('pull.teapot', teapot('GET', /\/blobs\//)),
  fault('delete.teapot', teapot('DELETE', /\/blobs\//)),
  fault('push.as-text', {
    registry: asking(to('PUT', /\/uploads\//), async (request) => {
      const { url, method } = request
      return new Request(url, { method, headers: request.headers, body: await request.text() })
    }),
  }),
  fault('blob.unrecorded', {
    stores: (all) => ({ ...all, blobs: { ...all.blobs, record: async () => 'recorded' } }),
  }),
  fault('tags.none', {
    stores: (all) => ({ ...all, tags: { ...all.tags, list: async () => [] } }),
  }),
  fault('storage.adds-nothing', { storage: rewriting(to('POST', /\/add$/), () => new Response('{}')) }),
  fault('log.silent', { log: () => () => undefined }),
]

let stack: Stack | undefined
afterEach(() => stack?.close())

async function pushed(readsLog: boolean, bytes: Uint8Array<ArrayBuffer>) {
  const watch = createWatch(faults, readsLog)
  stack = await startStack({ open: true, faults: [{ id: 'watch', seams: watch.seams }] })
  await stack.faults.on('watch')
  const { url = '' } = stack.targets.registry ?? {}
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const session = await fetch(new URL('/v2/a/b/blobs/uploads/', url), { method: 'POST' })
  const location = new URL(session.headers.get('location') ?? '', url)
  location.search = `digest=${digest}`
  const headers = { 'content-type': 'application/octet-stream' }
  const { status } = await fetch(location, { method: 'PUT', headers, body: bytes })
  const pulled = await fetch(new URL(`/v2/a/b/blobs/${digest}`, url))
  return { status, pulled: new Uint8Array(await pulled.arrayBuffer()), touching: await watch.touching() }
}

test('a push and a pull go as ever, and are touched by the faults that would have changed them', async () => {
  const bytes = new Uint8Array([0, 255, 254])
  const { status, pulled, touching } = await pushed(false, bytes)
  expect([status, pulled]).toEqual([201, bytes])
  expect([...touching].sort()).toEqual([
    'blob.unrecorded',
    'pull.teapot',
    'push.as-text',
    'storage.adds-nothing',
  ])
})

test('what keeps its bytes is not touched, and whoever reads the log is touched by a fault in it', async () => {
  const { touching } = await pushed(true, new TextEncoder().encode('plain'))
  expect([...touching]).toContain('log.silent')
  expect([...touching]).not.toContain('push.as-text')
})
