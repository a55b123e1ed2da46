import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built command line. */
export const main = fileURLToPath(new URL('../../dist/harness/cli/main.js', import.meta.url))

/** Where runs keep their journals, unless a test says so. */
const state = join(tmpdir(), 'assay-test-state')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** Runs the built command line to its end, as a user's shell would without a terminal. */
export const assay = (args: readonly string[], options?: CommandOptions): Promise<Ended> =>
  script([main, ...args], options)

/** Runs a module that may import the built package by its name. */
export const node = (module: string): Promise<Ended> =>
  script(['--input-type=module', '--eval', module], { cwd: fileURLToPath(new URL('../..', import.meta.url)) })

/** Runs a script of Node to its end. */
export function script(
  args: readonly string[],
  { cwd, env = {}, input }: CommandOptions = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', XDG_STATE_HOME: state, ...env },
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    )
    child.stdin.end(input)
  })
}
