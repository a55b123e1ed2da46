/** Services as processes of their own, which a trial may stop, kill and start again at the same address. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const dist = new URL('../dist/', import.meta.url)

/** Nothing of a trial outlives it, not even of one that fails. */
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
function owned(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** A PostgreSQL that can be killed, postmaster and all, and started again where it was. */
export async function startPostgres() {
  const { startEmbeddedPostgres } = await import(new URL('mocks/registry/embedded-postgres.js', dist))
  const embedded = await startEmbeddedPostgres()
  const socket = decodeURIComponent(embedded.connection.split('host=')[1])
  const pidFile = join(dirname(socket), 'data', 'postmaster.pid')
  const pid = () => Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const [program, ...options] = readFileSync(`/proc/${pid()}/cmdline`, 'utf8').split('\0').slice(0, -1)
  const { uid, gid } = statSync(pidFile)
  const account = process.getuid() === 0 ? { uid, gid } : {}
  let again
  return {
    connection: embedded.connection,
    kill: () => process.kill(pid(), 'SIGKILL'),
    async start() {
      for (;;) {
        again = owned(spawn(program, options, { ...account, stdio: ['ignore', 'ignore', 'pipe'] }))
        const lines = createInterface(again.stderr)
        for await (const line of lines) if (/ready to accept connections/.test(line)) return
        // The dead one's children still hold its memory.
        await pause(50)
      }
    },
    async close() {
      if (again) {
        again.kill('SIGINT')
        await once(again, 'exit')
      }
      await embedded.close()
    },
  }
}

/**
 * `assay serve` with these arguments. `onLine` gets what it writes to stderr, which is the registry's log.
 * `fileBlocks` limits how large a file it may write, in units of 512 bytes: what is beyond fails as on a full disk.
 */
export async function startService(args, { env, onLine, fileBlocks } = {}) {
  const main = fileURLToPath(new URL('harness/cli/main.js', dist))
  const command = [process.execPath, main, 'serve', ...args, '--json']
  const limited = ['sh', '-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, ...command]
  const [program, ...rest] = fileBlocks === undefined ? command : limited
  const child = owned(
    spawn(program, rest, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', onLine ? 'pipe' : 'ignore'],
    }),
  )
  if (onLine) createInterface(child.stderr).on('line', onLine)
  const exited = once(child, 'exit')
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => undefined)])
  if (!line) throw new Error(`assay serve ${args.join(' ')} ended at once`)
  return {
    targets: JSON.parse(line[0]),
    exited,
    signal: (name) => child.kill(name),
    async end(name = 'SIGKILL') {
      child.kill(name)
      return (await exited)[0]
    },
    /** Sockets that are open: those that listen, and those to clients, database and storage node. */
    sockets: () =>
      execFileSync('ls', ['-l', `/proc/${child.pid}/fd`], { encoding: 'utf8' }).match(/socket:/g)?.length ??
      0,
    /** The most memory that it ever had, in MiB. */
    peak: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) >> 10,
  }
}

/** Instances as processes of their own, on one database and one storage node, and open to everybody. */
export function startRegistry(connection, storage, { onLine } = {}) {
  const where = ['--database', connection, '--storage-url', storage]
  return startService(['registry', '--open', '--registry-port', '0', ...where], {
    env: { REGISTRY_SIGNING_SECRET: 'x'.repeat(32) },
    onLine,
  })
}
