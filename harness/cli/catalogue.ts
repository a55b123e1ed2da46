import { Command } from 'commander'
import { UsageError } from '../errors.ts'
import type { Requirement } from '../requirement.ts'

/** The command `assay list`. */
export function listCommand(): Command {
  return new Command('list')
    .description('the catalogue of requirements')
    .argument('[glob]', 'only ids that match', '*')
    .option('--json', 'as JSON')
    .action(async (glob: string, { json }: { json?: true }) => {
      const { collectRequirements } = await import('../run-suites.ts')
      const { matches } = await import('../selection.ts')
      const found = (await collectRequirements()).filter(({ id }) => matches(glob, id))
      if (found.length === 0) throw new UsageError(`no requirement matches "${glob}"; assay list shows all`)
      const text = json ? JSON.stringify(found.map(asRow), null, 2) : found.map(asLine).join('\n')
      process.stdout.write(`${text}\n`)
    })
}

/** A requirement as `--json` prints it. */
export const asRow = ({
  id,
  interface: on,
  level,
  statement,
  source,
  needs: needed,
  since,
  levels,
}: Requirement) => ({
  id,
  interface: on,
  level,
  statement,
  source,
  needs: needed,
  ...(since && { since }),
  ...(levels && { levels }),
})

const asLine = ({ id, level, statement }: Requirement) => `${level.padEnd(6)} ${id}  ${statement}`
