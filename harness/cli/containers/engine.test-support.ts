import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { run } from '../program.test-support.ts'

/** A Docker engine that answers. */
export interface Engine {
  readonly version: string
  /** Undefined: the engine that `docker` finds by itself. */
  readonly host?: string
  /** Ends the engine where it was started here, with all that it holds. */
  stop(): Promise<void>
}

/** The engine that answers, or one of our own where `dockerd` may be run; else the reason why there is none. */
export async function openEngine(): Promise<Engine | string> {
  if (!isInstalled('docker')) return 'docker is not installed (Debian package docker.io)'
  const version = await engineVersion().catch(() => undefined)
  if (version !== undefined) return { version, stop: async () => {} }
  if (!isInstalled('dockerd')) return 'the engine does not answer, and dockerd is not installed'
  if (process.getuid?.() !== 0) return 'the engine does not answer, and only root may start one'
  return startEngine()
}

async function engineVersion(host?: string): Promise<string> {
  const on = host === undefined ? [] : ['--host', host]
  const { stdout } = await run('docker', [...on, 'version', '--format', '{{.Server.Version}}'])
  return stdout.trim()
}

async function startEngine(): Promise<Engine | string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-docker-'))
  const host = `unix://${folder}/docker.sock`
  const places = [
    '--data-root',
    `${folder}/data`,
    '--exec-root',
    `${folder}/exec`,
    '--pidfile',
    `${folder}/pid`,
  ]
  // Containers inherit the limit; programs that close every file they might have open take minutes at the usual one.
  const flags = ['--host', host, ...places, '--default-ulimit', 'nofile=1024:1024']
  const daemon = spawn('dockerd', flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  const killed = () => void daemon.kill()
  process.once('exit', killed)
  const lastWords = keepLastLine(daemon)
  const stop = async () => {
    process.removeListener('exit', killed)
    if (daemon.kill()) await once(daemon, 'exit')
    // An engine that is stopped early leaves it mounted, and the folder could not be removed.
    await run('umount', [join(folder, 'exec', 'netns', 'default')]).catch(() => undefined)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  for (let tries = 0; tries < 120 && daemon.exitCode === null; tries += 1) {
    const version = await engineVersion(host).catch(() => setTimeout(500))
    if (version !== undefined) return { version, host, stop }
  }
  await stop()
  return `dockerd does not start here: ${lastWords()}`
}

function keepLastLine({ stderr }: ChildProcess): () => string {
  let last = ''
  stderr?.on('data', (text: Buffer) => {
    last = text.toString().trim().split('\n').at(-1) ?? last
  })
  return () => last
}

/** Whether a program is in the PATH. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
