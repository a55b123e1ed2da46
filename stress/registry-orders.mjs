/**
 * Several registries, each a process of its own on one PostgreSQL and one storage node, and many clients that push,
 * mount, tag, read, cancel and delete the same few things at once, each request through another registry. Every
 * answer, and the state in the end, must be explained by one order of all operations.
 *
 *   npm run build && node stress/registry-orders.mjs [ROUNDS, 60 unless told] [INSTANCES, 3] [CLIENTS, 12]
 *
 * Ends with 0 when every round is explained.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { explain } from './explain.mjs'
import { startPostgres, startRegistry, startService } from './services.mjs'

const [rounds = 60, instances = 3, clients = 12] = process.argv.slice(2).map(Number)
const perClient = 6
const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const type = 'application/vnd.oci.image.manifest.v1+json'

const repositories = ['orders/one', 'orders/two']
const tags = ['a', 'b']
const blobs = ['x', 'y'].map((text) => {
  const bytes = Buffer.from(text.repeat(500))
  return { name: text, bytes, digest: sha256(bytes) }
})
const manifests = [[0], [1], [0, 1]].map((parts) => {
  const [config, ...layers] = parts.map((part) => ({
    mediaType: 'application/octet-stream',
    digest: blobs[part].digest,
    size: blobs[part].bytes.byteLength,
  }))
  const text = JSON.stringify({ schemaVersion: 2, mediaType: type, config, layers })
  return { text, digest: sha256(text), blobs: parts.map((part) => blobs[part].digest) }
})
const nameOf = new Map([...blobs, ...manifests].map(({ digest }, at) => [digest, `${at}`]))
const pick = (list) => list[Math.floor(Math.random() * list.length)]

const folder = await mkdtemp(join(tmpdir(), 'assay-orders-'))
const postgres = await startPostgres()
const storage = await startService([
  ...['storage', '--data', join(folder, 'storage')],
  ...['--storage-port', '0', '--gateway-port', '0'],
])
const registries = await Promise.all(
  Array.from({ length: instances }, () => startRegistry(postgres.connection, storage.targets.storage.url)),
)
const urls = registries.map(({ targets }) => targets.registry.url)
let turn = 0

async function call(method, path, body) {
  const url = new URL(path, urls[turn++ % urls.length])
  const headers = method === 'PUT' && path.includes('/manifests/') ? { 'content-type': type } : {}
  const answer = await fetch(url, { method, body, headers, signal: AbortSignal.timeout(30_000) })
  const content = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, content }
}

let history = []
/** Does an operation, and notes what came of it and between which moments. */
async function note(operation, work) {
  const start = performance.now()
  const seen = await work()
  const looked =
    /^(read|list)/.test(operation.is) || seen === 404 || (seen === 202 && operation.is === 'mountBlob')
  history.push({ ...operation, seen, looked, start, end: performance.now(), id: history.length })
}
const status = async (...request) => (await call(...request)).status

const operations = {
  async pushBlob(repository) {
    const { bytes, digest } = pick(blobs)
    const { headers } = await call('POST', `/v2/${repository}/blobs/uploads/`)
    await note({ is: 'pushBlob', repository, digest }, () =>
      status('PUT', `${headers.get('location')}?digest=${digest}`, bytes),
    )
  },
  /** A session in which one closes and another cancels at once. */
  async pushOrCancel(repository) {
    const { bytes, digest } = pick(blobs)
    const { headers } = await call('POST', `/v2/${repository}/blobs/uploads/`)
    const location = headers.get('location')
    await call('PATCH', location, bytes)
    const session = location.split('/').at(-1)
    await Promise.all([
      note({ is: 'pushBlob', repository, digest, session }, () =>
        status('PUT', `${location}?digest=${digest}`),
      ),
      note({ is: 'cancel', session }, () => status('DELETE', location)),
    ])
  },
  async mountBlob(repository) {
    const { digest } = pick(blobs)
    const from = repositories.find((other) => other !== repository)
    await note({ is: 'mountBlob', repository, from, digest }, () =>
      status('POST', `/v2/${repository}/blobs/uploads/?mount=${digest}&from=${from}`),
    )
  },
  deleteBlob(repository) {
    const { digest } = pick(blobs)
    return note({ is: 'deleteBlob', repository, digest }, () =>
      status('DELETE', `/v2/${repository}/blobs/${digest}`),
    )
  },
  readBlob(repository, { digest } = pick(blobs)) {
    return note({ is: 'readBlob', repository, digest }, async () => {
      const { status, content } = await call('GET', `/v2/${repository}/blobs/${digest}`)
      return status === 200 && sha256(content) !== digest ? 'wrong bytes' : status
    })
  },
  async pushManifest(repository) {
    const { text, digest, blobs } = pick(manifests)
    const tag = pick(tags)
    await note({ is: 'pushManifest', repository, digest, tag, blobs }, () =>
      status('PUT', `/v2/${repository}/manifests/${tag}`, text),
    )
  },
  deleteManifest(repository) {
    const { digest } = pick(manifests)
    return note({ is: 'deleteManifest', repository, digest }, () =>
      status('DELETE', `/v2/${repository}/manifests/${digest}`),
    )
  },
  readManifest(repository, { digest } = pick(manifests)) {
    return note({ is: 'readManifest', repository, digest }, () =>
      status('GET', `/v2/${repository}/manifests/${digest}`),
    )
  },
  deleteTag(repository) {
    const tag = pick(tags)
    return note({ is: 'deleteTag', repository, tag }, () =>
      status('DELETE', `/v2/${repository}/manifests/${tag}`),
    )
  },
  readTag(repository, tag = pick(tags)) {
    return note({ is: 'readTag', repository, tag }, async () => {
      const { status, content } = await call('GET', `/v2/${repository}/manifests/${tag}`)
      return status === 200 ? sha256(content) : status
    })
  },
  listTags(repository) {
    return note({ is: 'listTags', repository }, async () => {
      const { status, content } = await call('GET', `/v2/${repository}/tags/list`)
      return status === 200 ? JSON.parse(content).tags.join() : status
    })
  },
}

const often = ['pushBlob', 'pushManifest', 'readTag', 'readBlob']
const choices = [...Object.keys(operations), ...often, ...often]

const hasBlob = (facts, repository, digest) => facts.has(`${repository}:blob:${nameOf.get(digest)}`)
const pointedAt = (facts, repository, tag) =>
  [...facts].find((fact) => fact.startsWith(`${repository}:tag:${tag}:`))
const nothing = { gone: [], come: [] }

/** For each operation: what has to be seen of it where these facts hold, and which facts go and come. */
const outcomes = {
  pushBlob({ repository, digest, session }, facts) {
    const closed = session ? [`closed:${session}`] : []
    if (closed.some((fact) => facts.has(fact))) return { seen: 404, ...nothing }
    return { seen: 201, gone: [], come: [...closed, `${repository}:blob:${nameOf.get(digest)}`] }
  },
  cancel({ session }, facts) {
    const closed = `closed:${session}`
    return facts.has(closed) ? { seen: 404, ...nothing } : { seen: 204, gone: [], come: [closed] }
  },
  mountBlob({ repository, from, digest }, facts) {
    if (!hasBlob(facts, from, digest)) return { seen: 202, ...nothing }
    return { seen: 201, gone: [], come: [`${repository}:blob:${nameOf.get(digest)}`] }
  },
  deleteBlob({ repository, digest }, facts) {
    const seen = hasBlob(facts, repository, digest) ? 202 : 404
    return { seen, gone: [`${repository}:blob:${nameOf.get(digest)}`], come: [] }
  },
  readBlob: ({ repository, digest }, facts) => ({
    ...{ seen: hasBlob(facts, repository, digest) ? 200 : 404 },
    ...nothing,
  }),
  pushManifest({ repository, digest, tag, blobs }, facts) {
    if (!blobs.every((one) => hasBlob(facts, repository, one))) return { seen: 404, ...nothing }
    const name = nameOf.get(digest)
    const come = [`${repository}:manifest:${name}`, `${repository}:tag:${tag}:${name}`]
    return { seen: 201, gone: [pointedAt(facts, repository, tag)], come }
  },
  deleteManifest({ repository, digest }, facts) {
    const manifest = `${repository}:manifest:${nameOf.get(digest)}`
    const pointing = tags
      .map((tag) => pointedAt(facts, repository, tag))
      .filter((fact) => fact?.endsWith(`:${nameOf.get(digest)}`))
    return { seen: facts.has(manifest) ? 202 : 404, gone: [manifest, ...pointing], come: [] }
  },
  readManifest: ({ repository, digest }, facts) => ({
    ...{ seen: facts.has(`${repository}:manifest:${nameOf.get(digest)}`) ? 200 : 404 },
    ...nothing,
  }),
  deleteTag({ repository, tag }, facts) {
    const before = pointedAt(facts, repository, tag)
    return { seen: before ? 202 : 404, gone: [before], come: [] }
  },
  readTag({ repository, tag }, facts) {
    const points = pointedAt(facts, repository, tag)?.split(':').at(-1)
    return { seen: [...nameOf].find(([, name]) => name === points)?.[0] ?? 404, ...nothing }
  },
  listTags({ repository, seen }, facts) {
    const listed = tags.filter((tag) => pointedAt(facts, repository, tag)).join()
    // A repository that nothing was ever pushed to is unknown.
    return { seen: seen === 404 && listed === '' ? 404 : listed, ...nothing }
  },
}

/** One operation after the other. A state is a sorted list of facts, as text. */
function apply(operation, state) {
  const facts = new Set(state === '' ? [] : state.split(' '))
  const { seen, gone, come } = outcomes[operation.is](operation, facts)
  if (seen !== operation.seen) return undefined
  for (const fact of gone) facts.delete(fact)
  for (const fact of come) facts.add(fact)
  return [...facts].sort().join(' ')
}

/** Everything there is, read when nothing goes on any more. */
async function readAll() {
  for (const repository of repositories) {
    for (const one of blobs) await operations.readBlob(repository, one)
    for (const one of manifests) await operations.readManifest(repository, one)
    for (const one of tags) await operations.readTag(repository, one)
    await operations.listTags(repository)
  }
}

let state = ''
const figures = { instances, rounds, operations: 0, concurrent: clients, inexplicable: 0 }
for (let round = 1; round <= rounds; round += 1) {
  history = []
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let at = 0; at < perClient; at += 1) await operations[pick(choices)](pick(repositories))
    }),
  )
  await readAll()
  figures.operations += history.length
  const { after, furthest } = explain(history, state, apply)
  if (after === undefined) {
    figures.inexplicable += 1
    console.error(`round ${round} has no order. It can be explained up to the state`, furthest.state)
    console.error('but not what follows, of which the first has to come next:')
    for (const { id: _, blobs: __, ...what } of furthest.left.slice(0, 12))
      console.error(' ', JSON.stringify(what))
  }
  // The last reads say what is there, whether or not an order explains it.
  state = [...(after ?? stateRead(history)).split(' ')]
    .filter((fact) => !fact.startsWith('closed:'))
    .join(' ')
}

/** The state that the last reads of a history show. */
function stateRead(operations) {
  const last = operations.slice(-repositories.length * (blobs.length + manifests.length + tags.length + 1))
  const facts = last.flatMap(({ is, repository, digest, tag, seen }) => {
    if (is === 'readBlob' && seen === 200) return [`${repository}:blob:${nameOf.get(digest)}`]
    if (is === 'readManifest' && seen === 200) return [`${repository}:manifest:${nameOf.get(digest)}`]
    if (is === 'readTag' && seen !== 404) return [`${repository}:tag:${tag}:${nameOf.get(seen)}`]
    return []
  })
  return facts.sort().join(' ')
}

console.log(JSON.stringify(figures))
for (const registry of registries) await registry.end('SIGTERM')
await storage.end('SIGTERM')
await postgres.close()
await rm(folder, { recursive: true, force: true })
process.exitCode = figures.inexplicable === 0 && figures.operations > 0 ? 0 : 1
