#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { listCommand } from './catalogue.ts'
import { cleanCommand } from './clean.ts'
import { describeEnd, exits } from './exit.ts'
import { explainCommand } from './explain.ts'
import { faultsCommand } from './faults.ts'
import { loadTable } from './load-faults.ts'
import { proveCommand } from './prove.ts'
import { reportCommand } from './report.ts'
import { serveCommand } from './serve.ts'
import { testCommand } from './test.ts'
import { version } from './version.ts'

const program = new Command('assay')
  .description(
    'Conformance tests for OCI registries, IPFS storage nodes and the platform API, and the same services as mocks',
  )
  .version(version)
  .option('--no-color', 'plain text (as the variable NO_COLOR)')
  .addCommand(testCommand())
  .addCommand(listCommand())
  .addCommand(explainCommand())
  .addCommand(serveCommand(loadTable))
  .addCommand(faultsCommand())
  .addCommand(proveCommand())
  .addCommand(reportCommand())
  .addCommand(cleanCommand())
  .configureHelp({ showGlobalOptions: true })
  .exitOverride()

for (const command of program.commands) {
  command.exitOverride().option('--no-color', 'plain text')
}

// A reader that has seen enough (`| head`) does not end the work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exits.usage
  } else {
    const { code, message } = describeEnd(error)
    process.stderr.write(`${message}\n`)
    process.exitCode = code
    // What was interrupted may still wait for an answer; nobody waits for it.
    if (code >= exits.interrupted - 1) process.exit()
  }
}
