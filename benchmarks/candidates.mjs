/** The registries that are compared, each a process of its own with a folder of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../dist/harness/cli/main.js', import.meta.url))

const ours = (database) => (port) => [
  ...[process.execPath, main, 'serve', 'registry', '--open'],
  ...['--registry-port', String(port), '--database', database],
]

const distribution = (program) => (port, folder) => {
  const config = join(folder, 'config.yml')
  const settings = {
    version: 0.1,
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: true } },
    http: { addr: `127.0.0.1:${port}` },
  }
  writeFileSync(config, JSON.stringify(settings))
  return [program, 'serve', config]
}

const zot = (program) => (port, folder) => {
  const config = join(folder, 'config.json')
  const settings = {
    distSpecVersion: '1.1.1',
    storage: { rootDirectory: join(folder, 'data'), dedupe: false },
    http: { address: '127.0.0.1', port: String(port) },
    log: { level: 'error' },
  }
  writeFileSync(config, JSON.stringify(settings))
  return [program, 'serve', config]
}

const olareg = (program) => (port, folder) => [
  ...[program, 'serve', '--addr', '127.0.0.1', '--port', String(port)],
  ...['--dir', join(folder, 'data'), '--api-delete', '--api-blob-delete'],
]

/** Name and command of every candidate that is there; says which are not. */
export function candidates() {
  const { DISTRIBUTION = 'docker-registry', DISTRIBUTION3, ZOT, OLAREG, ONLY = '' } = process.env
  const all = [
    ['ours on pg-mem', ours('pg-mem'), true],
    ['ours on PostgreSQL', ours('embedded'), true],
    ['distribution 2.8', distribution(DISTRIBUTION), runs(DISTRIBUTION)],
    ['distribution 3', distribution(DISTRIBUTION3), DISTRIBUTION3],
    ['zot', zot(ZOT), ZOT],
    ['olareg', olareg(OLAREG), OLAREG],
  ]
  for (const [name, , there] of all) if (!there) console.log(`${name}: left out, no program is named`)
  return all.filter(([name, , there]) => there && name.includes(ONLY))
}

const runs = (program) => spawnSync(program, ['--version']).status === 0

/** Nothing outlives a run, not even one that fails or is interrupted. */
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill()
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

/** Starts one and resolves once it answers. */
export async function startCandidate([name, command], folder) {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const [program, ...args] = command(port, folder)
  const child = spawn(program, args, {
    stdio: 'ignore',
    env: { ...process.env, OTEL_TRACES_EXPORTER: 'none' },
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/v2/`).catch(() => undefined))?.ok) await pause(50)
  return {
    name,
    url,
    /** The most memory that it ever had, in MiB. */
    peak: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) >> 10,
    /** Seconds of CPU so far, its own PostgreSQL included. */
    cpu: () => family(child.pid).reduce((sum, pid) => sum + cpuOf(pid), 0),
    async end() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
const cpuOf = (pid) => (Number(statOf(pid)[11]) + Number(statOf(pid)[12])) / 100

/** A process and everything that it started. */
function family(parent) {
  const found = [parent]
  const parents = new Map()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      parents.set(Number(entry), Number(statOf(entry)[1]))
    } catch {}
  }
  for (const pid of found) for (const [child, of] of parents) if (of === pid) found.push(child)
  return found
}
