/**
 * Pushes a large layer in one piece and another in chunks, pulls both and checks every byte, and measures the most
 * memory that the server ever had: registry and storage node in one process, as `assay serve` runs them.
 *
 *   npm run build && node stress/large-layer.mjs [MiB, 2048 unless told] [LIMIT in MiB, 250]
 *
 * Ends with 0 when the bytes are the same and the limit holds, on pg-mem and on PostgreSQL.
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'

const [mebibytes = 2048, limit = 250] = process.argv.slice(2).map(Number)
const chunkMebibytes = 64
const block = randomBytes(1 << 20)

/** Megabytes `from` to `to` of a content that never repeats one, in this layer or the next. */
function* content(layer, from = 0, to = mebibytes) {
  for (let at = from; at < to; at += 1) {
    const piece = Buffer.from(block)
    piece.writeUInt32BE(at, 0)
    piece.write(layer, 4)
    piece.writeUInt32BE(at, 1 << 19)
    yield piece
  }
}

function digestOf(layer) {
  const hash = createHash('sha256')
  for (const piece of content(layer)) hash.update(piece)
  return `sha256:${hash.digest('hex')}`
}

async function startRegistry(database) {
  const main = fileURLToPath(new URL('../dist/harness/cli/main.js', import.meta.url))
  const options = ['--open', '--json', '--registry-port', '0', '--database', database]
  const child = spawn(process.execPath, [main, 'serve', 'registry', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(child.stdout, 'data')
  return { child, url: JSON.parse(line).registry.url }
}

async function expect(status, url, path, method, body, headers) {
  const answer = await request(new URL(path, url), {
    ...{ method, body, headers },
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  if (answer.statusCode !== status) {
    throw new Error(`${answer.statusCode} to ${method} ${path}: ${await answer.body.text()}`)
  }
  if (method !== 'GET') await answer.body.dump()
  return answer
}

const send = (url, status, path, method, layer, from = 0, to = mebibytes) =>
  expect(status, url, path, method, Readable.from(content(layer, from, to)), {
    'content-length': String((to - from) * 2 ** 20),
  })

const open = async (url) =>
  (await expect(202, url, '/v2/large/layer/blobs/uploads/', 'POST')).headers.location

async function pushWhole(url, layer, digest) {
  await send(url, 201, `${await open(url)}?digest=${digest}`, 'PUT', layer)
}

async function pushChunked(url, layer, digest) {
  let location = await open(url)
  for (let at = 0; at < mebibytes; at += chunkMebibytes) {
    const to = Math.min(at + chunkMebibytes, mebibytes)
    location = (await send(url, 202, location, 'PATCH', layer, at, to)).headers.location
  }
  await expect(201, url, `${location}?digest=${digest}`, 'PUT')
}

async function pull(url, digest) {
  const answer = await expect(200, url, `/v2/large/layer/blobs/${digest}`, 'GET')
  const hash = createHash('sha256')
  for await (const piece of answer.body) hash.update(piece)
  if (`sha256:${hash.digest('hex')}` !== digest) throw new Error(`${digest} came back as something else`)
}

const peak = ({ pid }) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) >> 10

const layers = ['whole', 'chunks'].map((layer) => ({ layer, digest: digestOf(layer) }))
for (const database of ['pg-mem', 'embedded']) {
  const { child, url } = await startRegistry(database)
  const rate = async (what, work) => {
    const start = performance.now()
    await work
    const perSecond = (mebibytes * 1000) / (performance.now() - start)
    return `${what} ${perSecond.toFixed(0)} MiB/s, peak ${peak(child)} MiB`
  }
  try {
    const [whole, chunks] = layers
    const seen = [
      `${database}: at start ${peak(child)} MiB`,
      await rate('pushed whole', pushWhole(url, whole.layer, whole.digest)),
      await rate('pulled', pull(url, whole.digest)),
      await rate('pushed in chunks', pushChunked(url, chunks.layer, chunks.digest)),
      await rate('pulled', pull(url, chunks.digest)),
    ]
    console.log(seen.join(' · '))
    if (peak(child) > limit) process.exitCode = 1
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}
