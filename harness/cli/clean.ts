import { Command } from 'commander'
import type { CleanFlags } from './clean-run.ts'
import { sharedOptions } from './test-options.ts'

const afterHelp = `
Without a journal, those that killed runs left behind are taken. Targets are those of the journal; credentials are given
as to assay test. Nothing is removed but what the journal says that its run made.

Exit codes: 0 all is gone; 1 something is left; 2 wrong usage, or credentials are missing; 3 a target could not be
reached; 4 Assay itself failed.
`

/** The command `assay clean`. */
export function cleanCommand(): Command {
  const command = new Command('clean')
    .description('remove what a killed run left on a target')
    .argument('[journal...]', 'journals of runs')
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .addHelpText('after', afterHelp)
    .action(async (journals: readonly string[], flags: CleanFlags) => {
      const { cleanJournals } = await import('./clean-run.ts')
      process.exitCode = await cleanJournals(journals, flags)
    })
  for (const { group, options } of sharedOptions(shared)) {
    for (const option of options) command.addOption(option.helpGroup(group))
  }
  return command
}

const shared = [
  'registry',
  'storage',
  'graphql',
  'targets',
  'username',
  'password',
  'token',
  'graphqlToken',
  'timeout',
  'concurrency',
  'ca',
  'insecure',
]
