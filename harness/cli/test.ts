import { Command } from 'commander'
import { beginSuiteThread } from '../suite-thread.ts'
import { optimiseLater } from './optimise-later.ts'
import { type TestFlags, testOptions } from './test-options.ts'

const afterHelp = `
Without a target, the embedded stack of mocks is started and tested.

Exit codes: 0 every MUST that applies was verified and holds; 1 one is violated or could not be verified;
2 wrong usage; 3 a target could not be reached; 4 Assay itself failed, or could not write a report.
`

/** The command `assay test`. */
export function testCommand(): Command {
  const command = new Command('test')
    .description('run the suites against any target')
    .addHelpText('after', afterHelp)
    .action(async (flags: TestFlags) => {
      optimiseLater()
      beginSuiteThread()
      const { test } = await import('./test-run.ts')
      process.exitCode = await test(flags)
    })
  for (const { group, options } of testOptions) {
    for (const option of options) command.addOption(option.helpGroup(group))
  }
  return command
}
