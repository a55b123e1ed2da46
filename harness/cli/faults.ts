import { Command } from 'commander'
import { UsageError } from '../errors.ts'
import { matches } from '../selection.ts'
import { loadBehaviours } from './load-faults.ts'

/** The command `assay faults`. */
export function faultsCommand(): Command {
  return new Command('faults')
    .description('the faults that the suites catch; each can be switched on: assay serve --fault ID')
    .argument('[glob]', 'only ids that match', '*')
    .option('--json', 'as JSON')
    .action(async (glob: string, { json }: { json?: true }) => {
      const { faults } = await loadBehaviours()
      const found = faults.filter(({ id }) => matches(glob, id)).map(({ seams: _, ...fault }) => fault)
      if (found.length === 0) throw new UsageError(`no fault matches "${glob}"; assay faults shows all`)
      const lines = found.map(({ id, what, breaks, client }) =>
        [
          id,
          `  ${what}`,
          `  caught by ${breaks.join(', ')}`,
          ...(client ? [`  a good client ${client}`] : []),
        ].join('\n'),
      )
      process.stdout.write(`${json ? JSON.stringify(found, null, 2) : lines.join('\n')}\n`)
    })
}
