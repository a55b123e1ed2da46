/**
 * Our registry beside others: large and small blobs, manifests, tags. They take turns at each thing, so that a busy
 * machine is busy for all; medians over the rounds are printed, with the CPU that an operation cost in brackets.
 *
 *   npm run build && [ZOT=… OLAREG=… DISTRIBUTION3=…] node benchmarks/registry.mjs [ROUNDS, 3] [MiB, 1024] [OPERATIONS, 5000] [TAGS, 10000]
 *
 * `ONLY=ours` takes those alone whose name has it. `docker-registry` is found in the PATH.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { candidates, startCandidate } from './candidates.mjs'
import { openConnection } from './connection.mjs'

const [rounds = 3, mebibytes = 1024, operations = 5000, tagCount = 10_000] = process.argv.slice(2).map(Number)
const connections = 16
const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const asManifest = `Content-Type: ${manifestType}\r\n`
const acceptManifest = `Accept: ${manifestType}\r\n`
const octets = 'Content-Type: application/octet-stream\r\n'

function expect(status, answer, what) {
  if (answer.status !== status) throw new Error(`${answer.status} to ${what}`)
  return answer
}

/** The path and query of an upload's end, wherever the registry put its Location. */
function closing(location, digest) {
  const { pathname, search } = new URL(location, 'http://registry')
  return `${pathname}${search}${search ? '&' : '?'}digest=${digest}`
}

async function pushBlob(connection, repository, bytes) {
  const path = `/v2/${repository}/blobs/uploads/`
  const { location } = expect(202, await connection.send('POST', path), 'POST')
  const digest = sha256(bytes)
  expect(201, await connection.send('PUT', closing(location, digest), bytes, octets), 'PUT')
  return digest
}

const block = randomBytes(1 << 20)
let layer = 0
/** A layer that nobody has seen before. */
function newLayer() {
  layer += 1
  const pieces = function* (mark = layer) {
    for (let at = 0; at < mebibytes; at += 1) {
      const piece = Buffer.from(block)
      piece.writeUInt32BE(at, 0)
      piece.writeUInt32BE(mark, 4)
      piece.writeUInt32BE(at, 1 << 19)
      yield piece
    }
  }
  const hash = createHash('sha256')
  for (const piece of pieces()) hash.update(piece)
  return { pieces, digest: `sha256:${hash.digest('hex')}` }
}

async function on(url, count, work) {
  const open = await Promise.all(Array.from({ length: count }, () => openConnection(url)))
  try {
    return await Promise.all(open.map(work))
  } finally {
    for (const connection of open) connection.close()
  }
}

/** Operations per second, each connection doing one after the other. A number of them, so that all are equally warm. */
async function rate(url, operation) {
  const start = performance.now()
  let next = 0
  await on(url, connections, async (connection, at) => {
    for (let count = 0; next++ < operations; count += 1) await operation(connection, at, count)
  })
  return { value: (operations * 1000) / (performance.now() - start), count: operations }
}

const perSecond = (megabytes, ms) => ({ value: megabytes / (ms / 1000), count: 1 })

/** Each gives a value, and by how many operations it was made. What it needs of those before lies in `made`. */
const measures = {
  'push of a large blob, MB/s': async ({ url, made }) => {
    const { pieces, digest } = newLayer()
    made.layer = digest
    return on(url, 1, async (connection) => {
      const { location } = expect(
        202,
        await connection.send('POST', '/v2/bench/large/blobs/uploads/'),
        'POST',
      )
      const start = performance.now()
      const path = closing(location, digest)
      expect(201, await connection.stream('PUT', path, mebibytes * 2 ** 20, pieces()), 'PUT')
      return perSecond(mebibytes * 1.048576, performance.now() - start)
    }).then(([only]) => only)
  },
  'pull of a large blob, MB/s': ({ url, made }) =>
    on(url, 1, async (connection) => {
      const start = performance.now()
      expect(200, await connection.send('GET', `/v2/bench/large/blobs/${made.layer}`), 'GET')
      return perSecond(mebibytes * 1.048576, performance.now() - start)
    }).then(([only]) => only),
  'blob push of 1 KiB, /s': ({ url }) =>
    rate(url, (connection) => pushBlob(connection, 'bench/small', randomBytes(1024))),
  'blob GET of 1 KiB, /s': async ({ url, made }) => {
    made.small ??= await on(url, connections, (connection) =>
      pushBlob(connection, 'bench/small', randomBytes(1024)),
    )
    return rate(url, async (connection, at, count) => {
      const digest = made.small[(at + count) % made.small.length]
      expect(200, await connection.send('GET', `/v2/bench/small/blobs/${digest}`), 'GET')
    })
  },
  'blob HEAD, /s': ({ url, made }) =>
    rate(url, async (connection, at, count) => {
      const digest = made.small[(at + count) % made.small.length]
      expect(200, await connection.send('HEAD', `/v2/bench/small/blobs/${digest}`), 'HEAD')
    }),
  'manifest PUT by tag, /s': ({ url, made, round }) =>
    rate(url, async (connection, at, count) => {
      const descriptor = { mediaType: 'application/octet-stream', digest: made.small[at], size: 1024 }
      const annotations = { round: `${round}.${at}.${count}` }
      const document = {
        schemaVersion: 2,
        mediaType: manifestType,
        config: descriptor,
        layers: [descriptor],
        annotations,
      }
      const path = `/v2/bench/small/manifests/t${at}-${count % 50}`
      expect(
        201,
        await connection.send('PUT', path, Buffer.from(JSON.stringify(document)), asManifest),
        'PUT',
      )
    }),
  'manifest GET by tag, /s': ({ url }) =>
    rate(url, async (connection, at) => {
      const path = `/v2/bench/small/manifests/t${at}-0`
      expect(200, await connection.send('GET', path, undefined, acceptManifest), 'GET')
    }),
}

/** One manifest under many tags of one repository, and a page from the middle of their list. */
async function manyTags({ url, name }) {
  await on(url, 1, (connection) => pushBlob(connection, 'bench/tags', Buffer.from('{}')))
  const descriptor = { mediaType: 'application/octet-stream', digest: sha256('{}'), size: 2 }
  const document = { schemaVersion: 2, mediaType: manifestType, config: descriptor, layers: [descriptor] }
  const body = Buffer.from(JSON.stringify(document))
  let next = 0
  const start = performance.now()
  const patience = 20_000
  await on(url, connections, async (connection) => {
    while (next < tagCount && performance.now() - start < patience) {
      const path = `/v2/bench/tags/manifests/t${String(next++).padStart(6, '0')}`
      expect(201, await connection.send('PUT', path, body, asManifest), 'PUT')
    }
  })
  const put = (next * 1000) / (performance.now() - start)
  const times = []
  await on(url, 1, async (connection) => {
    for (let at = 0; at < 200; at += 1) {
      const from = performance.now()
      const last = `t${String((next >> 1) + at).padStart(6, '0')}`
      expect(200, await connection.send('GET', `/v2/bench/tags/tags/list?n=100&last=${last}`), 'GET')
      times.push(performance.now() - from)
    }
  })
  return `${name}: ${put.toFixed(0)} tags/s to ${next}, a page of 100 in ${median(times).toFixed(2)} ms`
}

const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1]
const folder = mkdtempSync(join(tmpdir(), 'assay-benchmark-'))
const running = []
try {
  for (const candidate of candidates()) {
    running.push({ ...(await startCandidate(candidate, join(folder, String(running.length)))), made: {} })
  }
  for (const [what, measure] of Object.entries(measures)) {
    const seen = new Map(running.map((candidate) => [candidate, []]))
    // The first round warms up, and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      for (const candidate of running) {
        const before = candidate.cpu()
        const { value, count } = await measure({ ...candidate, round })
        if (round > 0) seen.get(candidate).push({ value, cpu: (candidate.cpu() - before) / count })
      }
    }
    const line = [...seen].map(([{ name }, all]) => {
      const cpu = median(all.map((one) => one.cpu)) * 1000
      return `${name} ${median(all.map(({ value }) => value)).toFixed(0)} (${cpu.toFixed(cpu < 10 ? 2 : 0)} ms)`
    })
    console.log(`${what}: ${line.join(' · ')}`)
  }
  for (const candidate of running) console.log(await manyTags(candidate))
  console.log(`peak memory, MiB: ${running.map(({ name, peak }) => `${name} ${peak()}`).join(' · ')}`)
} finally {
  for (const { end } of running) await end()
  rmSync(folder, { recursive: true })
}
