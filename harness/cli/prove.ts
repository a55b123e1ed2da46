import { Command } from 'commander'
import { collect } from './collect.ts'
import type { ProveFlags } from './prove-run.ts'
import { reportOption } from './test-options.ts'

/** The command `assay prove`. */
export function proveCommand(): Command {
  return new Command('prove')
    .description('run faulty copies of the mocks, and show which requirement catches which fault')
    .option(
      '--only <glob>',
      'only these faults, or the faults of these requirements (repeatable)',
      collect,
      [],
    )
    .option('--skip <glob>', 'without these (repeatable)', collect, [])
    .addOption(
      reportOption('json or html: which requirement catches which fault (repeatable)', ['json', 'html']),
    )
    .action(async (flags: ProveFlags) => {
      const { proveAll } = await import('./prove-run.ts')
      process.exitCode = await proveAll(flags)
    })
}
