import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Fault } from './control/fault.ts'
import { startEmbeddedPostgres } from './registry/embedded-postgres.ts'
import { serve } from './serve.ts'
import type { StackOptions } from './stack/options.ts'
import type { Login } from './stack/targets.ts'
import { type Stack, startStack } from './stack.ts'

const stacks: Stack[] = []
const before = process.env['TMPDIR']
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stack-test-'))
  // PostgreSQL runs as another user when we are root, and has to reach its data.
  await chmod(folder, 0o755)
  process.env['TMPDIR'] = folder
})
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.close()
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  await rm(folder, { recursive: true })
})

async function start(options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack(options)
  stacks.push(stack)
  return stack
}

/** Talks to the registry of a stack as one account, about one repository. */
async function client(
  { targets }: Stack,
  repository = 'conformance/app',
  login = targets.registry?.accounts?.special,
) {
  const url = targets.registry?.url ?? ''
  const token = await tokenOf(url, repository, login)
  const send = (path: string, init: RequestInit = {}, at = url) =>
    fetch(new URL(path, at), { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
  return {
    send,
    async push(bytes: Buffer): Promise<string> {
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
      const session = await send(`/v2/${repository}/blobs/uploads/`, { method: 'POST' })
      const location = new URL(session.headers.get('location') ?? '', url)
      location.searchParams.set('digest', digest)
      const done = await send(location.href, { method: 'PUT', body: new Uint8Array(bytes) })
      expect(done.status).toBe(201)
      return `/v2/${repository}/blobs/${digest}`
    },
  }
}

async function tokenOf(url: string, repository: string, login: Login | undefined): Promise<string> {
  const basic = Buffer.from(`${login?.username}:${login?.password}`).toString('base64')
  const at = `${url}/token?service=x&scope=repository:${repository}:pull,push`
  const { token } = await (await fetch(at, { headers: { authorization: `Basic ${basic}` } })).json()
  return token
}

const hello = '/v2/library/hello/manifests/latest'

test('four services answer, and the registry keeps its blobs in the storage node', async () => {
  const stack = await start()
  const { storage, gateway, graphql, registry } = stack.targets
  const { send, push } = await client(stack)
  const blob = await push(Buffer.from('a layer'))
  expect(await (await send(blob)).text()).toBe('a layer')

  const added = stack.requests.list({ operation: 'ipfs.pin.add' }).requests.at(-1)
  const cid = added?.query['arg']
  expect(await (await fetch(`${storage?.url}/api/v0/cat?arg=${cid}`, { method: 'POST' })).text()).toBe(
    'a layer',
  )
  expect(await (await fetch(`${gateway?.url}/ipfs/${cid}`)).text()).toBe('a layer')

  const body = JSON.stringify({ query: '{ projects { data { id } } }' })
  const ask = (token = '') =>
    fetch(graphql?.url ?? '', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    }).then((response) => response.json())
  expect(await ask(graphql?.tokens.valid)).toHaveProperty('data.projects.data')
  for (const token of [graphql?.tokens.expired, graphql?.tokens.revoked]) {
    expect(await ask(token)).toHaveProperty('errors.0.extensions.code', 'UNAUTHENTICATED')
  }
  const seen = stack.requests.list({ status: '2xx' }).requests.map(({ operation }) => operation)
  expect(seen).toEqual(
    expect.arrayContaining(['oci.blob.get', 'ipfs.add', 'gateway.get', 'graphql.query.projects']),
  )
  expect(await readFile(registry?.logs ?? '', 'utf8')).toContain('"event":"blob_upload"')
})

test('what is pushed is there on every instance, and gone after a reset', async () => {
  const stack = await start({ instances: 3 })
  const { targets } = stack
  const { send, push } = await client(stack)
  const blob = await push(Buffer.from('a layer'))
  for (const instance of targets.registry?.instances ?? []) {
    expect(await (await send(blob, {}, instance)).text()).toBe('a layer')
  }
  expect(targets.registry?.instances).toHaveLength(2)
  const used = async () =>
    (await (await fetch(`${targets.storage?.url}/api/v0/repo/stat`, { method: 'POST' })).json()).NumObjects
  const before = await used()
  await stack.reset()
  expect(stack.requests.list()).toEqual({ total: 0, dropped: 0, requests: [] })
  expect((await send(blob)).status).toBe(404)
  expect((await (await client(stack, 'library/hello')).send(hello)).status).toBe(200)
  expect(await used()).toBe(before - 1)
})

/** Flips the first byte of whatever the storage node reads out. */
const lying: Fault = {
  id: 'storage.cat.flipped',
  seams: {
    storage: (next) => async (request, context) => {
      const response = await next(request, context)
      const bytes = new Uint8Array(await response.arrayBuffer())
      bytes[0] = (bytes[0] ?? 0) ^ 1
      return new Response(bytes, response)
    },
  },
}

test('storage that is made to lie over HTTP never makes a registry serve wrong bytes', async () => {
  const stack = await start({ faults: [lying] })
  const { send, push } = await client(stack)
  const blob = await push(Buffer.from('a layer'))
  const control = `${stack.targets.storage?.control}faults/${lying.id}`
  const match = {
    path: '/api/v0/cat',
    query: { arg: stack.requests.list({ operation: 'ipfs.pin.add' }).requests.at(-1)?.query['arg'] },
  }
  expect((await fetch(control, { method: 'PUT', body: JSON.stringify({ match }) })).status).toBe(200)
  const served = send(blob).then(async (response) => (response.ok ? response.text() : undefined))
  expect(await served.catch(() => undefined)).toBeUndefined()
  expect(stack.faults.active()).toMatchObject([{ id: lying.id, hits: 1 }])
  expect((await fetch(control, { method: 'DELETE' })).status).toBe(204)
  expect(await (await send(blob)).text()).toBe('a layer')
})

/** A database that forgets every tag. */
const forgetful: Fault = {
  id: 'stores.tags.forgotten',
  seams: { stores: (next) => ({ ...next, tags: { ...next.tags, list: async () => [] } }) },
}

test('a fault in the stores is on from the start, can go, and is back after a reset', async () => {
  const stack = await start({ faults: [forgetful], active: [forgetful.id] })
  const { send } = await client(stack, 'library/hello')
  const tags = async () => (await (await send('/v2/library/hello/tags/list')).json()).tags
  expect(await tags()).toEqual([])
  await stack.faults.off(forgetful.id)
  expect(await tags()).toEqual(['latest'])
  await stack.reset()
  expect(await tags()).toEqual([])
})

test('the clock moves for all: a token of the registry expires', async () => {
  const stack = await start()
  const { send } = await client(stack, 'library/hello')
  expect((await send(hello)).status).toBe(200)
  await stack.clock.advance(3600_000)
  expect((await send(hello)).status).toBe(401)
  stack.clock.run()
  expect((await send(hello)).status).toBe(200)
})

test('the logins have the rights that the target file promises', async () => {
  const stack = await start({ random: 7 })
  const { accounts = {} as never } = stack.targets.registry ?? {}
  const statuses = async (login: Login) => {
    const { send } = await client(stack, 'conformance/app', login)
    const push = await send('/v2/conformance/app/blobs/uploads/', { method: 'POST' })
    const pull = await send('/v2/conformance/app/tags/list')
    return [push.status, pull.status]
  }
  expect(await statuses(accounts.owner)).toEqual([202, 404])
  expect(await statuses(accounts.special)).toEqual([202, 404])
  expect(await statuses(accounts.reader)).toEqual([403, 404])
  expect(await statuses(accounts.stranger)).toEqual([403, 403])

  const { special, ...plain } = accounts
  for (const { password } of Object.values(plain)) expect(password).toMatch(/^[A-Za-z0-9_-]{24}$/)
  for (const part of ['"', "'", ' ', '%', '+', ':', '\\', '&', 'é']) expect(special.password).toContain(part)
  expect((await start({ random: 7 })).targets.registry?.accounts).toEqual(accounts)
  expect((await start()).targets.registry?.accounts).not.toEqual(accounts)
})

test('a registry alone has its storage node inside, and an open one needs no login', async () => {
  const { targets } = await start({ services: ['registry'], open: true })
  expect(Object.keys(targets)).toEqual(['registry', 'allow'])
  expect(targets.registry).not.toHaveProperty('accounts')
  expect((await fetch(`${targets.registry?.url}${hello}`)).status).toBe(200)
})

test('on embedded PostgreSQL: two instances, a reset, and contents that outlive the process', async () => {
  const options = { data: join(folder, 'data'), database: 'embedded', instances: 2 } as const
  const first = await start(options)
  const { push, send } = await client(first)
  const lost = await push(Buffer.from('lost'))
  await first.reset()
  expect((await send(lost, {}, first.targets.registry?.instances?.[0])).status).toBe(404)
  const kept = await push(Buffer.from('kept'))
  await first.close()

  const second = await start(options)
  expect(second.targets.registry?.accounts).toEqual(first.targets.registry?.accounts)
  const again = await client(second)
  expect(await (await again.send(kept)).text()).toBe('kept')
  await second.reset()
  expect(await (await again.send(kept)).text()).toBe('kept')
})

test('what belongs to a deployment is used, and left as it is', async () => {
  const node = await start({ services: ['storage'] })
  const storageUrl = node.targets.storage?.url ?? ''
  const postgres = await startEmbeddedPostgres()
  try {
    const database = postgres.connection as `postgres://${string}`
    const domain = 'registry.example'
    const stack = await start({ services: ['registry'], database, storageUrl, domain })
    expect(stack.targets).toMatchObject({ storage: { url: storageUrl }, registry: { domain, content: [] } })
    const { send, push } = await client(stack)
    const blob = await push(Buffer.from('a layer'))
    const seen = node.requests.list({ operation: 'ipfs.*' }).requests.map(({ operation }) => operation)
    expect(seen).toEqual(['ipfs.add', 'ipfs.pin.add'])
    await expect(stack.reset()).rejects.toMatchObject({ code: 'cannot-reset' })
    const answer = await fetch(`${stack.targets.registry?.url}/_mock/reset`, { method: 'POST' })
    expect(answer.status).toBe(409)
    expect(await (await send(blob)).text()).toBe('a layer')
    await stack.close()
  } finally {
    await postgres.close()
  }
})

/** A storage node that takes the request and says nothing more. */
const silent: Fault = {
  id: 'storage.silent',
  seams: { storage: () => () => new Promise<Response>(() => {}) },
}

test('a request that hangs for good holds up neither a reset nor the end', async () => {
  const stack = await start({ faults: [silent] })
  const { send } = await client(stack, 'library/hello')
  const manifest = await (await send(hello)).json()
  const hang = async () => {
    await stack.faults.on(silent.id)
    const cut = expect(send(`/v2/library/hello/blobs/${manifest.config.digest}`)).rejects.toThrow()
    await stack.requests.waitFor({ operation: 'ipfs.cat', status: 'pending' })
    return { cut }
  }
  const first = await hang()
  await stack.reset()
  await first.cut
  expect((await send(hello)).status).toBe(200)
  const second = await hang()
  await stack.close()
  await second.cut
})

test('an end with grace lets what is under way finish, and nothing new begin', async () => {
  const stack = await start()
  const { send } = await client(stack)
  const session = await send('/v2/conformance/app/blobs/uploads/', { method: 'POST' })
  const location = new URL(session.headers.get('location') ?? '', stack.targets.registry?.url)
  const bytes = Buffer.from('in two parts')
  location.searchParams.set('digest', `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
  let rest = () => {}
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, 6))
      rest = () => {
        controller.enqueue(bytes.subarray(6))
        controller.close()
      }
    },
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'PUT', body, duplex: 'half' }
  const upload = send(location.href, init)
  await stack.requests.waitFor({ operation: 'oci.upload.put', status: 'pending' })
  const ended = stack.close(20_000)
  await expect(fetch(`${stack.targets.graphql?.url}`)).rejects.toThrow()
  rest()
  expect((await upload).status).toBe(201)
  await ended
})

test('a port that is taken is named, and nothing is left open or behind', async () => {
  const squatter = await serve(() => new Response())
  await expect(start({ ports: { gateway: squatter.port } })).rejects.toMatchObject({
    code: 'ERR_PORT_TAKEN',
    option: 'ports.gateway',
    message: `port ${squatter.port} is taken on 127.0.0.1`,
  })
  await squatter.close()
  expect(await readdir(folder)).toEqual([])
})

test('close gives the ports and the temporary folder back', async () => {
  const { targets, close } = await start()
  expect(await readdir(folder)).toHaveLength(1)
  await close()
  await expect(fetch(`${targets.registry?.url}/v2/`)).rejects.toThrow()
  expect(await readdir(folder)).toEqual([])
})

test.for<[StackOptions, string, string]>([
  [{ signingSecret: 'short' }, 'signingSecret', '5 characters and needs at least 32'],
  [{ data: '/tmp', database: 'pg-mem' }, 'database', 'pg-mem forgets'],
  [{ database: 'mysql://x' as 'pg-mem' }, 'database', 'must be pg-mem, embedded or postgres://'],
  [{ database: 'postgres://127.0.0.1:1/x' }, 'database', 'cannot be used'],
  [{ storageUrl: 'ipfs:5001' }, 'storageUrl', 'must be http:// or https://'],
  [{ instances: 0 }, 'instances', 'must be 1 or more'],
  [{ services: [] }, 'services', 'at least one'],
])('refuses %o', async ([options, option, message]) => {
  await expect(start(options)).rejects.toMatchObject({ option, message: expect.stringContaining(message) })
  expect(await readdir(folder)).toEqual([])
})

test('a fault that is not known stops the start', async () => {
  await expect(start({ active: ['x'] })).rejects.toMatchObject({ code: 'unknown-fault' })
})
