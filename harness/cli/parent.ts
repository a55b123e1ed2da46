import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const everyMs = 500

/**
 * Calls `gone` once the npm, npx, pnpm or yarn that started this process has ended; never for a process that was
 * started in another way. Killed, they leave their children behind: npx has a shell between itself and the command,
 * and that lives on, so the parent of a shell is watched too. Returns a function that stops watching.
 */
export function watchParent(gone: () => void, environment: NodeJS.ProcessEnv = process.env): () => void {
  if (environment['npm_execpath'] === undefined) return () => {}
  const parent = process.ppid
  let grandparent: number | undefined
  const look = async () => {
    if (process.ppid !== parent) return gone()
    const now = await shellsParent(parent)
    grandparent ??= now
    if (now !== grandparent) gone()
  }
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  void look()
  return () => clearInterval(timer)
}

/** The parent of a process that is a shell; undefined for any other process, and for one that is gone. */
async function shellsParent(pid: number): Promise<number | undefined> {
  try {
    const { parent, name } = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid)
    return /(^|\/)(ba|da|k|z)?sh$/.test(name) ? parent : undefined
  } catch {
    return undefined
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: `pid (name) state ppid …` */
async function fromProc(pid: number) {
  const [, name = '', parent] = /\((.*)\) \S (\d+)/s.exec(await readFile(`/proc/${pid}/stat`, 'utf8')) ?? []
  return { name, parent: Number(parent) }
}

async function fromPs(pid: number) {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,comm=', '-p', String(pid)])
  const [, parent, name = ''] = /(\d+)\s+(.*\S)/.exec(stdout) ?? []
  return { name, parent: Number(parent) }
}
