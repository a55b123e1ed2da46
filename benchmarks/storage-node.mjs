/**
 * Moves large content in and out of the storage mock, and of a real Kubo in the same run where one is named. They take
 * turns, so that a busy machine is busy for both; medians and the peak memory of each process are printed.
 *
 *   npm run build && [KUBO=/path/to/ipfs] node benchmarks/storage-node.mjs [MiB, 1024 unless told] [ROUNDS, 3]
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'

const [mebibytes = 1024, rounds = 3] = process.argv.slice(2).map(Number)
const size = mebibytes << 20
const folder = mkdtempSync(join(tmpdir(), 'assay-benchmark-'))
const block = randomBytes(1 << 20)

/** Never the same megabyte twice, in this round or another. */
function* content(round) {
  for (let i = 0; i < mebibytes; i += 1) {
    const piece = Buffer.from(block)
    piece.writeUInt32BE(i, 0)
    piece.writeUInt32BE(round, 4)
    piece.writeUInt32BE(i, 1 << 19)
    yield piece
  }
}

async function startMock() {
  const main = fileURLToPath(new URL('../dist/harness/cli/main.js', import.meta.url))
  const ports = ['--storage-port', '0', '--gateway-port', '0']
  const child = spawn(process.execPath, [main, 'serve', 'storage', '--json', ...ports], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(child.stdout, 'data')
  return { name: 'mock', child, url: JSON.parse(line).storage.url }
}

async function startKubo(program) {
  const env = { ...process.env, IPFS_PATH: join(folder, 'kubo') }
  const ipfs = (...args) => execFileSync(program, args, { env, stdio: 'ignore' })
  ipfs('init', '--empty-repo')
  ipfs('config', 'Addresses.API', '/ip4/127.0.0.1/tcp/15901')
  ipfs('config', 'Addresses.Gateway', '/ip4/127.0.0.1/tcp/15908')
  for (const key of ['Addresses.Swarm', 'Bootstrap']) ipfs('config', '--json', key, '[]')
  ipfs('config', '--json', 'AutoConf.Enabled', 'false')
  ipfs('config', 'Routing.Type', 'none')
  const child = spawn(program, ['daemon', '--offline'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise((resolve) =>
    child.stdout.on('data', (chunk) => String(chunk).includes('Daemon is ready') && resolve()),
  )
  return { name: 'Kubo', child, url: 'http://127.0.0.1:15901' }
}

async function timed(work) {
  const start = performance.now()
  const result = await work()
  return { result, rate: size / 1e6 / ((performance.now() - start) / 1000) }
}

async function add({ url }, round) {
  const before = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
  const after = '\r\n--b--\r\n'
  const body = Readable.from(
    (function* () {
      yield Buffer.from(before)
      yield* content(round)
      yield Buffer.from(after)
    })(),
  )
  const headers = {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': String(before.length + size + after.length),
  }
  const answer = await request(`${url}/api/v0/add?pin=false`, { method: 'POST', headers, body })
  return (await answer.body.json()).Hash
}

async function cat({ url }, cid) {
  const answer = await request(`${url}/api/v0/cat?arg=${cid}`, { method: 'POST' })
  let seen = 0
  for await (const piece of answer.body) seen += piece.length
  if (seen !== size) throw new Error(`${seen} of ${size} bytes came back`)
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const peak = ({ child }) =>
  /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] / 1024

const nodes = [await startMock(), ...(process.env.KUBO ? [await startKubo(process.env.KUBO)] : [])]
if (!process.env.KUBO) console.log('Kubo: left out, KUBO names no program')
const rates = new Map(nodes.map((node) => [node, { add: [], cat: [] }]))
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const node of nodes) {
      const added = await timed(() => add(node, round))
      const read = await timed(() => cat(node, added.result))
      rates.get(node).add.push(added.rate)
      rates.get(node).cat.push(read.rate)
      await pause(500)
    }
  }
  for (const node of nodes) {
    const { add: adds, cat: cats } = rates.get(node)
    const memory = `peak ${peak(node).toFixed(0)} MiB`
    console.log(
      `${node.name}: add ${median(adds).toFixed(0)} MB/s, cat ${median(cats).toFixed(0)} MB/s, ${memory}`,
    )
  }
} finally {
  for (const { child } of nodes) {
    child.kill()
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true })
}
