import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import { UsageError } from '../errors.ts'
import { type Collateral, findCollateral } from '../minimality/collateral.ts'
import { collectRequirements } from '../run-suites.ts'
import { matches } from '../selection.ts'
import { judgeStagings } from '../staging.ts'
import { collect } from './collect.ts'
import { exits } from './exit.ts'
import { loadBehaviours } from './load-faults.ts'
import { createStagePool } from './stage-pool.ts'
import { runStandalone } from './standalone.ts'
import { findTouched } from './touched.ts'

interface Flags {
  readonly only: readonly string[]
  readonly report?: string
}

const seed = 1
/** A fault that keeps a client waiting keeps hundreds of requirements waiting; what turns red is judged again with more patience. */
const quickly = { seed, concurrency: 16, timeoutMs: 10_000 } as const
const patiently = { seed, concurrency: 8 } as const

/** `npm run prove:minimality`: what turns red under a fault beside the requirements that the fault names. */
const program = new Command('prove:minimality')
  .description('run faulty copies of the mocks, and show what turns red beside what each fault names')
  .option('--only <glob>', 'only these faults (repeatable)', collect, [])
  .option('--report <path>', 'write what was found as JSON, again after each part')
  .action(async (flags: Flags) => {
    process.exitCode = await run(flags)
  })

async function run({ only, report }: Flags): Promise<number> {
  const [requirements, behaviours] = await Promise.all([collectRequirements(), loadBehaviours()])
  const faults = behaviours.faults.filter(
    ({ id }) => only.length === 0 || only.some((glob) => matches(glob, id)),
  )
  if (faults.length === 0) throw new UsageError('no fault matches')
  say('looking which faults change anything for which requirements')
  const touched = await findTouched(faults, requirements)
  const stages = createStagePool(behaviours)
  const { open } = stages
  if (report) await mkdir(dirname(report), { recursive: true })
  const found = await findCollateral({
    faults,
    known: behaviours.faults,
    touchedBy: (fault) => touched.get(fault) ?? [],
    judge: (stagings) => judgeStagings(stagings, { ...quickly, open }),
    trace: (stagings, onAssertions) => judgeStagings(stagings, { ...patiently, open, onAssertions }),
    async onPart(tried, collateral) {
      say(`${tried} of ${faults.length} faults`)
      const ids = faults.slice(0, tried).map(({ id }) => id)
      if (report) await writeFile(report, `${JSON.stringify({ tried: ids, collateral }, null, 2)}\n`)
    },
  }).finally(stages.end)
  process.stdout.write(sentences(found, faults.length))
  return found.every(({ spoken }) => spoken) ? exits.conformant : exits.nonConformant
}

const say = (line: string) => void process.stderr.write(`${line}\n`)

function sentences(found: readonly Collateral[], tried: number): string {
  const unspoken = found.filter(({ spoken }) => !spoken)
  return [
    ...unspoken.flatMap(({ fault, requirement, reason, at }) => [
      `${fault} turns ${requirement} red, which it does not name: ${reason}`,
      ...at.map(({ place, text }) => `  ${place} ${text}`),
    ]),
    `faults tried: ${tried}; red beside what they name: ${found.length}; ` +
      `of these, for what their requirement does not speak of: ${unspoken.length}`,
    '',
  ].join('\n')
}

await runStandalone(program)
