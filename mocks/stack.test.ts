import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import type { Handler } from './handler.ts'
import type { OpenParts } from './parts.ts'
import { serve } from './serve.ts'
import { type Stack, startStack } from './stack.ts'
import type { StackOptions } from './stack-options.ts'

const stacks: Stack[] = []
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.close()
})

/** Parts that keep what is PUT: as much of a registry over a storage node as the stack's own work needs. */
const standIns: OpenParts = async ({ wrap, instances }) => {
  const stored = new Map<string, string>()
  const storage = wrap('storage', async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'GET')
      return new Response(stored.get(pathname) ?? null, { status: stored.has(pathname) ? 200 : 404 })
    stored.set(pathname, await request.text())
    return new Response(null, { status: 201, headers: { location: '/v2/session' } })
  })
  const registry: Handler = (request) =>
    request.url.includes('/token') ? Response.json({ token: 'x' }) : storage(request, {})
  return {
    registry: {
      handles: Array.from({ length: instances }, () => wrap('registry', registry)),
      publicKey: 'public',
      signingKey: 'private',
      logs: 'log',
    },
    storage: { rpc: storage, gateway: storage, prefix: 'ipfs' },
    snapshot: async () => {
      const rows = [...stored]
      return async () => {
        stored.clear()
        for (const [key, value] of rows) stored.set(key, value)
      }
    },
    close: async () => {},
  }
}

async function start(options: StackOptions = {}): Promise<Stack & { at(path: string): string }> {
  const stack = await startStack(options, standIns)
  stacks.push(stack)
  return Object.assign(stack, { at: (path: string) => `${stack.targets.registry?.url}${path}` })
}

const temporaryFolders = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('assay-')).length

test('what is pushed is there, on every instance, until a reset', async () => {
  const { at, targets, reset, requests } = await start({ instances: 2 })
  await fetch(at('/v2/a/manifests/1'), { method: 'PUT', body: 'manifest' })
  expect(await (await fetch(`${targets.registry?.instances?.[0]}/v2/a/manifests/1`)).text()).toBe('manifest')
  expect(requests.list({ repository: 'a' }).requests.map(({ method }) => method)).toEqual(['PUT', 'GET'])
  await reset()
  expect(requests.list()).toEqual({ total: 0, dropped: 0, requests: [] })
  expect((await fetch(at('/v2/a/manifests/1'))).status).toBe(404)
  expect((await fetch(at('/v2/library/hello/manifests/latest'))).status).toBe(200)
})

test('the faults that a stack begins with are back after a reset, and never stop its own start', async () => {
  const refusing = { id: 'no', seams: { storage: () => () => new Response(null, { status: 500 }) } }
  const { at, faults, reset } = await start({ faults: [refusing], active: ['no'] })
  expect((await fetch(at('/v2/library/hello/manifests/latest'))).status).toBe(500)
  await faults.off('no')
  expect((await fetch(at('/v2/library/hello/manifests/latest'))).status).toBe(200)
  await reset()
  expect((await fetch(at('/v2/library/hello/manifests/latest'))).status).toBe(500)
})

test('the target object holds logins whose passwords are plain, but for the awkward one', async () => {
  const { targets } = await start({ random: 7 })
  const again = await start({ random: 7 })
  expect(again.targets.registry?.accounts).toEqual(targets.registry?.accounts)
  const { special, ...plain } = targets.registry?.accounts ?? {}
  for (const { password } of Object.values(plain)) expect(password).toMatch(/^[A-Za-z0-9_-]{24}$/)
  for (const part of ['"', "'", ' ', '%', '+', ':', '\\', '&', 'é']) expect(special?.password).toContain(part)
  expect(targets).toMatchObject({
    registry: { domain: '127.0.0.1', namespace: 'conformance', content: [{ repository: 'library/hello' }] },
    storage: { control: `${targets.storage?.url}/_mock/` },
    gateway: { prefix: 'ipfs', private: false },
    allow: ['gc', 'mutations', 'large'],
  })
})

test('a port that is taken is named, and nothing is left open or behind', async () => {
  const before = await temporaryFolders()
  const squatter = await serve(() => new Response())
  await expect(start({ ports: { gateway: squatter.port } })).rejects.toMatchObject({
    code: 'ERR_PORT_TAKEN',
    option: 'ports.gateway',
    message: `port ${squatter.port} is taken on 127.0.0.1`,
  })
  await squatter.close()
  expect(await temporaryFolders()).toBe(before)
})

test('close gives the ports and the temporary folder back', async () => {
  const before = await temporaryFolders()
  const { at, close } = await start()
  await close()
  await expect(fetch(at('/v2/'))).rejects.toThrow()
  expect(await temporaryFolders()).toBe(before)
})

test.for<[StackOptions, string, string]>([
  [{ signingSecret: 'short' }, 'signingSecret', '5 characters and needs at least 32'],
  [{ data: '/tmp', database: 'pg-mem' }, 'database', 'pg-mem forgets'],
  [{ database: 'mysql://x' as 'pg-mem' }, 'database', 'must be pg-mem, embedded or postgres://'],
  [{ storageUrl: 'ipfs:5001' }, 'storageUrl', 'must be http:// or https://'],
  [{ instances: 0 }, 'instances', 'must be 1 or more'],
  [{ services: [] }, 'services', 'at least one'],
])('refuses %o', async ([options, option, message]) => {
  await expect(start(options)).rejects.toMatchObject({ option, message: expect.stringContaining(message) })
})

test('a fault that is not known stops the start', async () => {
  await expect(start({ active: ['x'] })).rejects.toMatchObject({ code: 'unknown-fault' })
})
