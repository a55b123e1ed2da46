import { Command } from 'commander'
import { nearNames } from '../../mocks/control/near.ts'
import { needs } from '../capability.ts'
import { UsageError } from '../errors.ts'
import type { Requirement } from '../requirement.ts'
import { collectRequirements } from '../run-suites.ts'
import { matches } from '../selection.ts'

/** The command `assay list`. */
export function listCommand(): Command {
  return new Command('list')
    .description('the catalogue of requirements')
    .argument('[glob]', 'only ids that match', '*')
    .option('--json', 'as JSON')
    .action(async (glob: string, { json }: { json?: true }) => {
      const found = (await collectRequirements()).filter(({ id }) => matches(glob, id))
      if (found.length === 0) throw new UsageError(`no requirement matches "${glob}"; assay list shows all`)
      const text = json ? JSON.stringify(found.map(asRow), null, 2) : found.map(asLine).join('\n')
      process.stdout.write(`${text}\n`)
    })
}

/** The command `assay explain`. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('one requirement in full')
    .argument('<id>', 'an id of assay list')
    .option('--json', 'as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const all = await collectRequirements()
      const found = all.find((requirement) => requirement.id === id)
      if (!found) throw new UsageError(unknown(id, all))
      process.stdout.write(`${json ? JSON.stringify(asRow(found), null, 2) : inFull(found)}\n`)
    })
}

function unknown(id: string, all: readonly Requirement[]): string {
  const near = nearNames(
    id,
    all.map((requirement) => requirement.id),
  )
  return `there is no requirement "${id}"${near.length > 0 ? `; near are ${near.join(', ')}` : ''}`
}

const asRow = ({
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

function inFull(requirement: Requirement): string {
  const { id, interface: on, level, statement, source, since, levels = {} } = requirement
  const elsewhere = Object.entries(levels).map(
    ([version, other]) => `${other} in OCI Distribution ${version}`,
  )
  return [
    id,
    `  ${statement}`,
    '',
    `  level      ${[level, ...elsewhere].join(', ')}${since ? ` (since ${since})` : ''}`,
    `  interface  ${on}`,
    `  source     ${source.document}, ${source.section}`,
    `             ${source.url}`,
    ...requirement.needs.map((need, i) => `  ${i === 0 ? 'needs' : '     '}      ${needs[need]}`),
    '',
    `  npx assay test --only ${id}`,
  ].join('\n')
}
