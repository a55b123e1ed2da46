import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestContext } from 'vitest'

/** Runs a program to its end; rejects with what it said when it fails. */
export const run = promisify(execFile)

/** The version that a program tells, or `undefined` where it is not installed. */
function versionOf(program: string, flag: string): string | undefined {
  try {
    const text = execFileSync(program, [flag], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return /\d+\.\d+[\w.+~-]*/.exec(text)?.[0] ?? 'of unknown version'
  } catch {
    return undefined
  }
}

/** Skips the test with the reason where the program is not installed, and notes either for the end of the run. */
export function needsProgram(
  { task, skip }: TestContext,
  program: string,
  flag = '--version',
  from = `Debian package ${program}`,
): void {
  const version = versionOf(program, flag)
  const missing = `not installed (${from})`
  task.meta.realPart = { name: program, ...(version ? { found: `${program} ${version}` } : { missing }) }
  skip(version === undefined, `${program} is ${missing}`)
}
