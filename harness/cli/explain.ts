import { Command } from 'commander'

/** The command `assay explain`. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('one requirement in full with the faults that it catches, or one fault')
    .argument('<id>', 'an id of assay list or assay faults')
    .option('--json', 'as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const { explain } = await import('./explain-run.ts')
      process.stdout.write(`${await explain(id, json ?? false)}\n`)
    })
}
