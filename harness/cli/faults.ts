import { Command } from 'commander'
import { nearNames } from '../../mocks/control/near.ts'
import { UsageError } from '../errors.ts'
import type { Fault } from '../fault.ts'
import { adviceByKind } from '../fault-kinds.ts'
import { loadBehaviours } from './load-faults.ts'

interface FaultsFlags {
  readonly json?: true
  readonly variations?: true
}

/** The command `assay faults`. */
export function faultsCommand(): Command {
  return new Command('faults')
    .description('the faults that the suites catch; each can be switched on: assay serve --fault ID')
    .argument('[glob]', 'only ids that match', '*')
    .option('--variations', 'instead the harmless variations and the cheats, which serve knows too')
    .option('--json', 'as JSON')
    .action(async (glob: string, { json, variations }: FaultsFlags) => {
      const { matches } = await import('../selection.ts')
      const repertoire = await loadBehaviours()
      const rows = variations
        ? [...repertoire.variations, ...repertoire.cheats].map(({ id, what }) => ({ id, what }))
        : repertoire.faults.map(faultRow)
      const found = rows.filter(({ id }) => matches(glob, id))
      if (found.length === 0) throw new UsageError(unmatched(glob, rows))
      const lines = json ? [JSON.stringify(found, null, 2)] : found.map(lineOf)
      process.stdout.write(`${lines.join('\n')}\n`)
    })
}

function unmatched(glob: string, rows: readonly { readonly id: string }[]): string {
  const near = nearNames(
    glob,
    rows.map(({ id }) => id),
  )
  const hint = near.length > 0 ? `near are ${near.join(', ')}` : 'assay faults shows all'
  return `no fault matches "${glob}"; ${hint}`
}

/** A fault as `--json` prints it. */
export const faultRow = ({ id, what, kind, breaks, client }: Fault) => ({
  id,
  what,
  kind,
  breaks,
  client: client ?? adviceByKind[kind],
})

type Row = Pick<Fault, 'id' | 'what'> & Partial<ReturnType<typeof faultRow>>

const lineOf = ({ id, what, kind, breaks, client }: Row): string =>
  [
    kind === undefined ? id : `${id}  ${kind}`,
    `  ${what}`,
    ...(breaks ? [`  caught by ${breaks.join(', ')}`] : []),
    ...(client ? [`  a good client ${client}`] : []),
  ].join('\n')
