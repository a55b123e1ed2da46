import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import { explainedAssertions } from '../../suites/explained-assertions.ts'
import { type Explained, explain } from '../assertions/explanation.ts'
import { type AssertionProof, proveAssertions, type Survivor } from '../assertions/prove.ts'
import { UsageError } from '../errors.ts'
import { collectRequirements } from '../run-suites.ts'
import { matches } from '../selection.ts'
import { judgeStagings } from '../staging.ts'
import { collect } from './collect.ts'
import { exits } from './exit.ts'
import { loadBehaviours } from './load-faults.ts'
import { createStagePool } from './stage-pool.ts'
import { runStandalone } from './standalone.ts'

interface Flags {
  readonly only: readonly string[]
  readonly report?: string
}

/** `npm run prove:assertions`: which assertions of the suites could be deleted without any fault escaping. */
const program = new Command('prove:assertions')
  .description('leave out each assertion of the suites in turn: some fault should then escape')
  .option('--only <glob>', 'only what these requirements come to (repeatable)', collect, [])
  .option('--report <path>', 'write what was found as JSON')
  .action(async (flags: Flags) => {
    process.exitCode = await run(flags)
  })

async function run({ only, report }: Flags): Promise<number> {
  const [all, behaviours] = await Promise.all([collectRequirements(), loadBehaviours()])
  const requirements = all
    .map(({ id }) => id)
    .filter((id) => only.length === 0 || only.some((glob) => matches(glob, id)))
  if (requirements.length === 0) throw new UsageError('no requirement matches')
  const stages = createStagePool(behaviours)
  const proof = await proveAssertions({
    requirements,
    faults: behaviours.faults,
    judge: (stagings, onAssertions) => {
      process.stderr.write(`judging ${stagings.length} trials\n`)
      return judgeStagings(stagings, { open: stages.open, seed: 1, concurrency: 8, onAssertions })
    },
  }).finally(stages.end)
  const explained = explain(proof, explainedAssertions)
  // Whether an assertion is gone is seen only where all are tried.
  const lost = only.length === 0 ? explained.lost : []
  if (report) {
    await mkdir(dirname(report), { recursive: true })
    await writeFile(report, `${JSON.stringify({ ...proof, ...explained, lost }, null, 2)}\n`)
  }
  process.stdout.write(sentences(proof, { ...explained, lost }))
  const faultless = [proof.escaped, explained.unexplained, explained.needless, lost].every(
    (each) => each.length === 0,
  )
  return faultless ? exits.conformant : exits.nonConformant
}

function sentences(proof: AssertionProof, { unexplained, explained, needless, lost }: Explained): string {
  const { needed, survivors, escaped } = proof
  return [
    ...unexplained.flatMap((survivor) => [
      `${survivor.file}:${survivor.line} (${survivor.within})`,
      `  ${survivor.text}`,
      `  ${why(survivor)}`,
    ]),
    ...escaped.map(
      ({ fault, requirement, verdict, reason }) =>
        `${fault} was not caught by ${requirement}: ${verdict}, ${reason}`,
    ),
    ...needless.map(({ within, text }) => `a fault needs ${text} of ${within} now: take out its explanation`),
    ...lost.map(({ within, text }) => `there is no ${text} in ${within}: take out its explanation`),
    `${needed.length} of ${needed.length + survivors.length} assertions are needed by a fault; ` +
      `${explained.length} are explained, ${unexplained.length} are not`,
    '',
  ].join('\n')
}

function why({ reachedBy, standsIn }: Survivor): string {
  const first = standsIn[0]
  if (first) {
    const others = first.without.length > 0 ? first.without.join(', ') : 'the transport'
    const faults = standsIn.length === 1 ? first.fault : `${standsIn.length} faults, such as ${first.fault}`
    return `fails under ${faults}; without it, ${first.requirement} fails at ${others}`
  }
  if (reachedBy.length === 0) return 'no test comes to it'
  const more = reachedBy.length > 3 ? ` and ${reachedBy.length - 3} more` : ''
  return `fails under no fault; reached by ${reachedBy.slice(0, 3).join(', ')}${more}`
}

await runStandalone(program)
