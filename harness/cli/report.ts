import { Command, Option } from 'commander'
import type { ReportFlags } from './report-run.ts'
import { reportFormats, reportOption } from './test-options.ts'

const afterHelp = `
One file is rendered; two or more are compared, in the order given, and where all are of one target it is said what
changed from the first to the last. A comparison is written as html or markdown.

Exit codes: 0; 1 a MUST is violated that was not, in runs of one target; 2 wrong usage, or a file is no report; 4 a file
could not be written.
`

/** The command `assay report`. */
export function reportCommand(): Command {
  return new Command('report')
    .description('render, compare and diff saved runs')
    .argument('<file...>', 'reports in JSON, as assay test writes them (- reads standard input)')
    .addOption(reportOption(`${reportFormats.join(', ')} (repeatable; without it, on the terminal)`))
    .addOption(new Option('--strict', 'a deviation from a SHOULD is a failure in JUnit'))
    .addHelpText('after', afterHelp)
    .action(async (files: readonly string[], flags: ReportFlags) => {
      const { report } = await import('./report-run.ts')
      process.exitCode = await report(files, flags)
    })
}
