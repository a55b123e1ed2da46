import type { Command } from 'commander'
import { describeEnd } from './exit.ts'

/** Runs a program that is no command of `assay`, and ends with its exit code and a sentence where it fails. */
export async function runStandalone(program: Command): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    const { code, message } = describeEnd(error)
    process.stderr.write(`${message}\n`)
    process.exitCode = code
  }
}
