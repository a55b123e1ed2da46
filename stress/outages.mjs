/**
 * Takes away, in turn, what two registries stand on, while clients push: PostgreSQL is killed and started again, the
 * storage node is killed, stopped for a while, and given a full disk. Then clients leave in the middle, time goes by,
 * and a registry is told to stop in the middle of transfers.
 *
 *   npm run build && node stress/outages.mjs [ROUNDS, 10 unless told]
 *
 * Ends with 0 when every answer was a success or a 503 with Retry-After, what was acknowledged is there, nothing is half
 * visible, the services came back by themselves, and nothing is left of what was abandoned.
 */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as open } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres, startRegistry, startService } from './services.mjs'

const rounds = Number(process.argv[2] ?? 10)
const folder = await mkdtemp(join(tmpdir(), 'assay-outages-'))
const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const logged = { lines: 0, wrong: 0, events: {} }
const fields = 'timestamp,level,service,event,repository,digest,ipfs_cid,size,duration_ms'

function checkLine(line) {
  if (!line.startsWith('{')) return console.error(line)
  const record = JSON.parse(line)
  logged.lines += 1
  logged.events[record.event] = (logged.events[record.event] ?? 0) + 1
  if (Object.keys(record).join() !== fields) logged.wrong += 1
}

const postgres = await startPostgres()
let storagePort = '0'
async function startStorage(more) {
  const ports = ['--storage-port', storagePort, '--gateway-port', '0']
  const started = await startService(['storage', '--data', join(folder, 'storage'), ...ports], more)
  storagePort = new URL(started.targets.storage.url).port
  return started
}
let storage = await startStorage()
const storageUrl = storage.targets.storage.url
const registries = await Promise.all(
  [1, 2].map(() => startRegistry(postgres.connection, storageUrl, { onLine: checkLine })),
)
const urls = registries.map(({ targets }) => targets.registry.url)

const state = { over: false, turn: 0, statuses: {}, unexpected: [], blobs: new Map(), manifests: new Map() }

/** One request to the next registry. Everything but a success and a 503 with Retry-After is noted. */
async function call(method, path, body, headers) {
  const url = new URL(path, urls[state.turn++ % urls.length])
  const answer = await fetch(url, { method, body, headers, signal: AbortSignal.timeout(45_000) }).catch(
    (error) => ({
      status: `${error.name}: ${error.cause?.code ?? error.message}`,
      ok: false,
      headers: new Headers(),
    }),
  )
  const { status } = answer
  state.statuses[status] = (state.statuses[status] ?? 0) + 1
  const clear = answer.ok || (status === 503 && answer.headers.has('retry-after'))
  if (!clear) state.unexpected.push(`${status} to ${method} ${url.pathname}`)
  return answer
}

async function pushBlob(repository, bytes, chunked) {
  const digest = sha256(bytes)
  const location = (await call('POST', `/v2/${repository}/blobs/uploads/`)).headers.get('location')
  if (!location) return false
  if (chunked) {
    for (const half of [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)]) {
      if ((await call('PATCH', location, half)).status !== 202) return false
    }
  }
  const closed = await call('PUT', `${location}?digest=${digest}`, chunked ? undefined : bytes)
  if (closed.status !== 201) return false
  state.blobs.set(`/v2/${repository}/blobs/${digest}`, digest)
  return true
}

async function pushImages(repository) {
  for (let round = 0; !state.over; round += 1) {
    const layer = randomBytes(round % 4 === 0 ? 1_500_000 : 4000)
    if (!(await pushBlob(repository, layer, round % 3 === 0))) {
      await pause(30)
      continue
    }
    const descriptor = {
      mediaType: 'application/octet-stream',
      digest: sha256(layer),
      size: layer.byteLength,
    }
    const manifest = JSON.stringify({ schemaVersion: 2, config: descriptor, layers: [descriptor] })
    const path = `/v2/${repository}/manifests/t${round}`
    const type = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' }
    if ((await call('PUT', path, manifest, type)).status === 201) state.manifests.set(path, sha256(manifest))
  }
}

const outages = {
  async 'PostgreSQL killed'() {
    postgres.kill()
    await pause(500)
    await postgres.start()
  },
  async 'storage killed'() {
    await storage.end()
    await pause(500)
    storage = await startStorage()
  },
  async 'storage stopped'() {
    storage.signal('SIGSTOP')
    await pause(1500)
    storage.signal('SIGCONT')
  },
  async 'storage full'() {
    await storage.end()
    storage = await startStorage({ fileBlocks: 1000 })
    await pause(1000)
    await storage.end()
    storage = await startStorage()
  },
}

/** How long after an outage every registry takes a push again, in milliseconds. */
async function recovered() {
  const since = performance.now()
  for (const url of urls) {
    for (;;) {
      const bytes = randomBytes(100)
      const path = `/v2/recovery/app/blobs/uploads/?digest=${sha256(bytes)}`
      const pushed = await fetch(new URL(path, url), { method: 'POST', body: bytes })
      if (pushed.status === 201) break
      await pause(20)
    }
  }
  return Math.round(performance.now() - since)
}

/** Everything acknowledged is there and exact, and every tag that is listed leads to content. */
async function inspect() {
  const found = { blobs: state.blobs.size, manifests: state.manifests.size, lost: 0, halfVisible: 0 }
  const bytesOf = async (path) => {
    const answer = await fetch(new URL(path, urls[0]))
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0)
  }
  for (const [path, digest] of [...state.blobs, ...state.manifests]) {
    if (sha256(await bytesOf(path)) !== digest) found.lost += 1
  }
  for (const repository of repositories) {
    const { tags } = JSON.parse(await bytesOf(`/v2/${repository}/tags/list`))
    for (const tag of tags) {
      const manifest = await bytesOf(`/v2/${repository}/manifests/${tag}`)
      const { config } = JSON.parse(manifest.length > 0 ? manifest : '{"config":{}}')
      if (sha256(await bytesOf(`/v2/${repository}/blobs/${config.digest}`)) !== config.digest)
        found.halfVisible += 1
    }
  }
  return found
}

const closed = (stream) =>
  new Promise((resolve) => (stream.closed ? resolve() : stream.once('close', resolve)))

/** Clients that leave in the middle of an upload, of a chunk, and of a pull. Resolves to what is left open. */
async function leave(times) {
  const url = urls[0]
  const large = randomBytes(20_000_000)
  await pushBlob('leaving/app', large, false)
  const before = registries.map((registry) => registry.sockets())
  const before2 = storage.sockets()
  const half = async (method, path) => {
    const leaving = open(new URL(path, url), {
      method,
      headers: { 'content-length': 1_000_000 },
      agent: false,
    })
    leaving.on('error', () => undefined)
    leaving.write(randomBytes(300_000))
    await pause(30)
    leaving.destroy()
    await closed(leaving)
  }
  const session = async () => {
    const answer = await fetch(new URL('/v2/leaving/app/blobs/uploads/', url), { method: 'POST' })
    return answer.headers.get('location')
  }
  for (let time = 0; time < times; time += 1) {
    await half('PUT', `${await session()}?digest=${sha256('x')}`)
    await half('PATCH', await session())
    const pulling = open(new URL(`/v2/leaving/app/blobs/${sha256(large)}`, url), { agent: false }).end()
    pulling.on('error', () => undefined)
    const [answer] = await once(pulling, 'response')
    await once(answer, 'data')
    answer.destroy()
    await closed(answer)
  }
  await pause(2000)
  return {
    left: times * 3,
    socketsLeftOpen: registries.reduce(
      (sum, registry, at) => sum + Math.max(0, registry.sockets() - before[at]),
      0,
    ),
    storageSocketsLeftOpen: Math.max(0, storage.sockets() - before2),
  }
}

/** Lets the hours go by that abandoned content has, and looks for what is still there of it. */
async function collected() {
  const database = new pg.Client(postgres.connection)
  await database.connect()
  const count = async (text) => Number((await database.query(text)).rows[0].count)
  const sessions = await count('select count(*) from upload')
  for (let hour = 25; hour < 30; hour += 1) {
    const now = new Date(Date.now() + hour * 3600_000).toISOString()
    await fetch(new URL('/_mock/clock', urls[0]), { method: 'PUT', body: JSON.stringify({ now }) })
  }
  const { Keys } = await (
    await fetch(`${storageUrl}/api/v0/pin/ls?type=recursive`, { method: 'POST' })
  ).json()
  const recorded = new Set(
    (await database.query('select ipfs_cid from blob')).rows.map((row) => row.ipfs_cid),
  )
  // `ipfs init` pins the empty directory.
  const orphans = Object.keys(Keys).filter((cid) => !recorded.has(cid)).length - 1
  const result = {
    abandonedSessions: sessions,
    sessionsLeft: await count('select count(*) from upload'),
    chunksLeft: await count('select count(*) from upload_chunk'),
    pinsWithoutRecord: orphans,
    recordsWithoutPin: [...recorded].filter((cid) => !Keys[cid]).length,
  }
  await database.end()
  return result
}

/** A push and a pull that take two seconds, and a SIGTERM after half a second. */
async function stopGracefully() {
  const [url] = urls
  const bytes = randomBytes(2_000_000)
  const session = await fetch(new URL('/v2/stop/app/blobs/uploads/', url), { method: 'POST' })
  const location = session.headers.get('location')
  async function* slowly() {
    for (let at = 0; at < 20; at += 1) {
      yield bytes.subarray(at * 100_000, (at + 1) * 100_000)
      await pause(100)
    }
  }
  const pushing = fetch(new URL(`${location}?digest=${sha256(bytes)}`, url), {
    method: 'PUT',
    body: ReadableStream.from(slowly()),
    duplex: 'half',
  })
  const [path, digest] = [...state.blobs].at(-1)
  const pulling = (async () => {
    const hash = createHash('sha256')
    const [answer] = await once(open(new URL(path, url), { agent: false }).end(), 'response')
    for await (const piece of answer) {
      hash.update(piece)
      await pause(5)
    }
    return `sha256:${hash.digest('hex')}` === digest
  })()
  await pause(500)
  const [first] = registries
  first.signal('SIGTERM')
  await pause(300)
  const refused = await fetch(new URL('/v2/', url)).then(
    () => false,
    () => true,
  )
  const [pushed, pulled] = [await pushing, await pulling]
  const [code] = await first.exited
  return { pushFinished: pushed.status === 201, pullFinished: pulled, newRefused: refused, exit: code }
}

const repositories = ['outage/a', 'outage/b', 'outage/c', 'outage/d', 'outage/e', 'outage/f']
const clients = repositories.map(pushImages)
const recovery = {}
for (let round = 1; round <= rounds; round += 1) {
  for (const [name, outage] of Object.entries(outages)) {
    await pause(300)
    await outage()
    recovery[name] = Math.max(recovery[name] ?? 0, await recovered())
  }
  process.stderr.write(`round ${round}, ${state.blobs.size} blobs acknowledged\n`)
}
state.over = true
await Promise.all(clients)
const found = await inspect()
const left = await leave(30)
const after = await collected()
const stopped = await stopGracefully()
const figures = {
  outages: rounds * Object.keys(outages).length,
  statuses: state.statuses,
  unexpected: state.unexpected.slice(0, 10),
  longestRecoveryMs: recovery,
  ...{ ...found, ...left, ...after },
  graceful: stopped,
  log: logged,
  peakMiB: registries[1].peak(),
}
console.log(JSON.stringify(figures, null, 2))
await registries[1].end('SIGTERM')
await storage.end('SIGTERM')
await postgres.close()
await rm(folder, { recursive: true, force: true })
const nothing = [
  state.unexpected.length,
  ...[found.lost, found.halfVisible, left.socketsLeftOpen, left.storageSocketsLeftOpen],
  ...[after.sessionsLeft, after.chunksLeft, after.pinsWithoutRecord, after.recordsWithoutPin, logged.wrong],
]
const stoppedWell = stopped.pushFinished && stopped.pullFinished && stopped.newRefused
process.exitCode = nothing.every((number) => number === 0) && stoppedWell && found.blobs > 0 ? 0 : 1
