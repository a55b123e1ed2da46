/**
 * Kills a registry again and again while clients push to it, and looks afterwards for everything that it had
 * acknowledged. PostgreSQL and the storage node live on; the registry is a process of its own that gets SIGKILL.
 *
 *   npm run build && node stress/registry-kill.mjs [KILLS, 200 unless told]
 *
 * Ends with 0 when nothing was lost and nothing was half visible.
 */
import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const mocks = new URL('../dist/mocks/', import.meta.url)
const load = (path) => import(new URL(path, mocks).href)
const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

if (process.argv[2] === 'registry') await serveRegistry()
else process.exitCode = await stress(Number(process.argv[2] ?? 200))

/** The process that is killed. */
async function serveRegistry() {
  const [connection, storage, port] = process.argv.slice(3)
  const { openPostgres } = await load('registry/database.js')
  const { createRegistry } = await load('registry/registry.js')
  const { remoteStorage } = await load('registry/remote-storage.js')
  const { createClock } = await load('clock.js')
  const { serve } = await load('serve.js')
  const registry = await createRegistry({
    database: await openPostgres(connection),
    storage: remoteStorage(storage),
    clock: createClock(),
    accounts: [],
    open: true,
    signingSecret: 'x'.repeat(32),
  })
  const served = await serve(registry.handle, { port: Number(port) })
  process.send(served.port)
  process.once('disconnect', () => process.exit())
}

async function stress(kills) {
  const { startEmbeddedPostgres } = await load('registry/embedded-postgres.js')
  const { createStorageNode } = await load('ipfs/node.js')
  const { createClock } = await load('clock.js')
  const { serve } = await load('serve.js')
  const folder = await mkdtemp(join(tmpdir(), 'assay-stress-'))
  const postgres = await startEmbeddedPostgres()
  const node = await createStorageNode({ folder, clock: createClock() })
  const storage = await serve(node.rpc)
  const state = { port: 0, over: false, blobs: new Map(), manifests: new Map(), operations: 0 }
  const start = async () => {
    const child = fork(fileURLToPath(import.meta.url), [
      ...['registry', postgres.connection, storage.url],
      String(state.port),
    ])
    const [port] = await once(child, 'message')
    state.port = port
    return child
  }
  let child = await start()
  const clients = Array.from({ length: 8 }, (_, at) => push(`stress/r${at % 4}`, state))
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(200 + Math.random() * 800)
    child.kill('SIGKILL')
    await once(child, 'exit')
    child = await start()
    if (kill % 20 === 0) process.stderr.write(`${kill} kills, ${state.blobs.size} blobs acknowledged\n`)
  }
  state.over = true
  await Promise.all(clients)
  const found = await inspect(state)
  child.kill('SIGKILL')
  await storage.close()
  await node.close()
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
  console.log(JSON.stringify({ kills, operations: state.operations, ...found }))
  return found.lost + found.halfVisible + found.untagged === 0 && found.blobs > 0 ? 0 : 1
}

/** Pushes an image after the other: in one piece, in chunks, by tag. Notes what was acknowledged. */
async function push(repository, state) {
  const call = (method, path, body, headers) => {
    state.operations += 1
    return fetch(`http://127.0.0.1:${state.port}${path}`, {
      method,
      body,
      headers,
      signal: AbortSignal.timeout(10_000),
    })
  }
  for (let round = 0; !state.over; round += 1) {
    const layer = randomBytes(round % 5 === 0 ? 2_000_000 : 5000)
    try {
      const digest = sha256(layer)
      const location = (await call('POST', `/v2/${repository}/blobs/uploads/`)).headers.get('location')
      const chunked = round % 2 === 0
      if (chunked) {
        await call('PATCH', location, layer.subarray(0, 3000))
        await call('PATCH', location, layer.subarray(3000))
      }
      const closed = await call('PUT', `${location}?digest=${digest}`, chunked ? undefined : layer)
      if (closed.status !== 201) continue
      state.blobs.set(`${repository}/blobs/${digest}`, digest)
      const descriptor = { mediaType: 'application/octet-stream', digest, size: layer.byteLength }
      const manifest = JSON.stringify({ schemaVersion: 2, config: descriptor, layers: [descriptor] })
      const tag = `t${round}-${randomBytes(4).toString('hex')}`
      const put = await call('PUT', `/v2/${repository}/manifests/${tag}`, manifest, {
        'content-type': manifestType,
      })
      if (put.status === 201) state.manifests.set(`${repository}/manifests/${tag}`, sha256(manifest))
    } catch {
      await pause(20)
    }
  }
}

/** Everything acknowledged is there and exact; every tag that is listed resolves, and its layers do. */
async function inspect({ port, blobs, manifests }) {
  const get = (path) => fetch(`http://127.0.0.1:${port}/v2/${path}`)
  const found = { blobs: blobs.size, manifests: manifests.size, lost: 0, halfVisible: 0, untagged: 0 }
  for (const [path, digest] of [...blobs, ...manifests]) {
    const answer = await get(path).catch(() => undefined)
    const bytes = answer?.ok ? Buffer.from(await answer.arrayBuffer()) : undefined
    if (!bytes || sha256(bytes) !== digest) found.lost += 1
  }
  for (const repository of ['stress/r0', 'stress/r1', 'stress/r2', 'stress/r3']) {
    const { tags } = await (await get(`${repository}/tags/list`)).json()
    for (const tag of tags) {
      const answer = await get(`${repository}/manifests/${tag}`)
      if (!answer.ok) {
        found.untagged += 1
        continue
      }
      const { config } = await answer.json()
      const layer = await get(`${repository}/blobs/${config.digest}`)
      if (!layer.ok || sha256(Buffer.from(await layer.arrayBuffer())) !== config.digest)
        found.halfVisible += 1
    }
  }
  return found
}
