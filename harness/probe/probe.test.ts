import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { UnreachableError } from '../errors.ts'
import { type RequirementMeta, requirement } from '../requirement.ts'
import type { Targets } from '../target.ts'
import { probe } from './probe.ts'

const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  response.end('{}')
})
let url = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked.length = 0
})

const transport = { timeoutMs: 1000, connections: 2 }
const look = (targets: Targets, ids?: Readonly<Record<string, Partial<RequirementMeta>>>) => {
  const source = { document: 'd', section: 's', url: 'https://example.org' }
  const requirements = Object.entries(ids ?? {}).map(([id, meta]) =>
    requirement(id, { level: 'MUST', statement: 's', source, needs: [], ...meta }),
  )
  return probe({ targets, transport, namespace: 'a', readOnly: true, ...(ids && { requirements }) })
}
const all = () => ({
  registry: { url },
  storage: { url },
  gateway: { url },
  graphql: { url: `${url}/graphql` },
})

test('each target is asked once whether it answers, and what was asked is kept', async () => {
  const { capabilities, exchanges, access } = await look({
    storage: { url },
    gateway: { url, prefix: 'x' },
    graphql: { url: `${url}/graphql` },
  })
  expect(asked).toEqual(['POST /api/v0/id', 'GET /x/', 'GET /graphql'])
  expect(exchanges).toHaveLength(3)
  expect(access).toEqual({ scheme: 'open' })
  expect(capabilities.storage?.offered).toBe(true)
  expect(capabilities.registry).toMatchObject({ offered: false, cause: 'not-configured' })
  expect(capabilities.catalog).toBeUndefined()
})

test('the gateway has the prefix ipfs unless another is named', async () => {
  await look({ gateway: { url } })
  expect(asked).toEqual(['GET /ipfs/'])
})

test('what a registry offers comes beside what the configuration tells', async () => {
  const { capabilities } = await look({ registry: { url } })
  expect(asked[0]).toBe('GET /v2/')
  expect(capabilities.catalog?.offered).toBe(true)
  expect(capabilities.registry?.offered).toBe(true)
  expect(capabilities.push).toMatchObject({ reason: 'the run is read-only' })
})

test.each([
  ['registry', { registry: { url: 'http://127.0.0.1:1' } }],
  ['storage node', { storage: { url: 'http://127.0.0.1:1' } }],
  ['gateway', { gateway: { url: 'http://127.0.0.1:1' } }],
  ['platform', { graphql: { url: 'http://127.0.0.1:1' } }],
])('a %s that does not answer is named', async (name, targets) => {
  const failed = look(targets)
  await expect(failed).rejects.toThrow(UnreachableError)
  await expect(failed).rejects.toThrow(`the ${name} cannot be reached: `)
})

test.each<[string, Readonly<Record<string, Partial<RequirementMeta>>>, readonly string[]]>([
  ['storage', { 'storage.add.cid': {} }, ['POST /api/v0/id']],
  ['the gateway', { 'storage.gateway.get': {} }, ['GET /ipfs/']],
  ['the platform', { 'graphql.auth': {} }, ['GET /graphql']],
  [
    'storage and the platform',
    { 'storage.add.cid': {}, 'graphql.auth': {} },
    ['POST /api/v0/id', 'GET /graphql'],
  ],
])('where only %s is judged, nothing else is asked', async (_, ids, paths) => {
  await look(all(), ids)
  expect(asked).toEqual(paths)
})

test.each<[string, Readonly<Record<string, Partial<RequirementMeta>>>, boolean]>([
  ['a rule on the registry', { 'oci.a': {} }, false],
  ['a rule on the whole deployment', { 'service.a': { on: 'stack' } }, false],
  ['a rule that needs the catalogue', { 'oci.a': { needs: ['catalog'] } }, true],
  ['a rule that uses the catalogue where there is one', { 'oci.a': { uses: ['catalog'] } }, true],
  ['a rule on storage that needs the catalogue', { 'storage.a': { needs: ['catalog'] } }, true],
])('%s', async (_, ids, catalog) => {
  const { capabilities } = await look(all(), ids)
  expect(asked).toContain('GET /v2/')
  expect(capabilities.auth).toBeDefined()
  expect(capabilities.private).toBeDefined()
  expect(asked.includes('GET /v2/_catalog')).toBe(catalog)
})

test('a run that has to log in ends before it asks more with credentials that are refused', async () => {
  const refusing = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end()
  })
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const at = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`
  const targets = { registry: { url: at, accounts: { owner: { username: 'o', password: 'wrong-one' } } } }
  const options = { targets, transport, namespace: 'a', readOnly: false, requirements: [] }
  try {
    const needed = requirement('oci.x', {
      ...{ level: 'MUST', statement: 's', needs: ['push'], source: { document: 'd', section: 's', url: at } },
    })
    const ended = probe({ ...options, requirements: [needed], mustLogIn: true })
    await expect(ended).rejects.toThrow(
      `${at} refuses the credentials of owner: GET /v2/ with them answered 401`,
    )
    await expect(ended).rejects.not.toThrow('wrong-one')
    expect(new Set(asked)).toEqual(new Set(['GET /v2/']))
  } finally {
    refusing.closeAllConnections()
    refusing.close()
  }
})
