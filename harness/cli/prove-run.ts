import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Matrix, matrixOf } from '../../reports/matrix/matrix.ts'
import { unbreakable } from '../../suites/unbreakable.ts'
import { type CheatTrial, fooledBy, tryCheats } from '../cheats.ts'
import { UsageError } from '../errors.ts'
import { type Proof, prove } from '../prove.ts'
import { collectRequirements } from '../run-suites.ts'
import { matches } from '../selection.ts'
import { exits } from './exit.ts'
import { loadBehaviours, type Repertoire } from './load-faults.ts'
import { reach } from './reach.ts'
import { createStagePool } from './stage-pool.ts'
import type { ReportRequest } from './test-options.ts'
import { version } from './version.ts'

/** The flags of `assay prove` as commander hands them over. */
export interface ProveFlags {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly report: readonly ReportRequest[]
}

const concurrency = 8
const seed = 1

/** Proves what is asked for, says and writes what came of it, and returns the exit code. */
export async function proveAll(flags: ProveFlags): Promise<number> {
  const [requirements, behaviours] = await Promise.all([collectRequirements(), loadBehaviours()])
  const { faults, variations, cheats } = chosen(behaviours, flags)
  if (faults.length + variations.length + cheats.length === 0)
    throw new UsageError('no fault and no requirement matches')
  // Each stack has threads of its own, whose output all goes here.
  for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(mostListeners)
  const stages = createStagePool(behaviours)
  const began = Date.now()
  const options = { open: stages.open, seed, concurrency, onProgress: progress }
  const work = async () => ({
    cheatTrials: await tryCheats(cheats, requirements, options),
    ...(await prove({ ...options, requirements, faults, variations, reach })),
  })
  const proof = await work().finally(stages.end)
  const whole = flags.only.length === 0 && flags.skip.length === 0
  const matrix = matrixOf({
    ...{ proof, requirements, faults, variations, cheats, unbreakable, version, seed, whole },
    cheatTrials: proof.cheatTrials,
    startedAt: new Date(began).toISOString(),
    durationMs: Date.now() - began,
  })
  await write(matrix, flags.report)
  const open = whole ? withoutReason(proof) : []
  process.stdout.write(sentences(proof, { faults, variations, cheats }, open))
  return isSound(proof) && open.length === 0 ? exits.conformant : exits.nonConformant
}

async function write(matrix: Matrix, reports: readonly ReportRequest[]): Promise<void> {
  for (const { format, path } of reports) {
    // Only whoever writes a matrix waits for what renders and checks it.
    const text =
      format === 'html'
        ? (await import('../../reports/matrix/html.ts')).matrixHtml(matrix)
        : (await import('../../reports/matrix/json.ts')).matrixJson(matrix)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

function chosen({ faults, variations, cheats }: Repertoire, { only, skip }: ProveFlags): Repertoire {
  const named = (globs: readonly string[], ids: readonly string[]) =>
    globs.some((glob) => ids.some((id) => matches(glob, id)))
  const wanted = (ids: readonly string[]) => (only.length === 0 || named(only, ids)) && !named(skip, ids)
  return {
    faults: faults.filter(({ id, breaks }) => wanted([id, ...breaks])),
    variations: variations.filter(({ id }) => wanted([id])),
    cheats: cheats.filter(({ id }) => wanted([id])),
  }
}

const mostListeners = 1000
/** Without a terminal, one line for each so many judgements. */
const plainStep = 250

function progress(done: number, all: number): void {
  const line = `${done} of ${all} judged`
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}${done === all ? '\n' : ''}`)
  else if (done % plainStep === 0 || done === all) process.stderr.write(`${line}\n`)
}

type Tried = Proof & { readonly cheatTrials: readonly CheatTrial[] }

/** Requirements that no fault tries, and for which nobody has said why. */
const withoutReason = ({ untried }: Proof) =>
  untried.filter((id) => !unbreakable.some((explained) => explained.id === id))

const isSound = ({ escaped, unclean, falseAlarms, cheatTrials }: Tried) =>
  escaped.length + unclean.length + falseAlarms.length + fooledBy(cheatTrials).length === 0

/** One sentence for what contradicts each other, however much turned red. */
function clashSentences(clashes: Proof['clashes']): readonly string[] {
  const together = new Map<string, Proof['clashes'][number][]>()
  for (const clash of clashes) {
    const key = clash.variations.join(', ')
    together.set(key, [...(together.get(key) ?? []), clash])
  }
  return [...together].map(([variations, all]) => {
    const red = `${all.length === 1 ? '1 requirement' : `${all.length} requirements`}, ${all[0]?.requirement}`
    return `these contradict each other, and turn red together what neither half of them does (${red}: ${all[0]?.reason}): ${variations}`
  })
}

function sentences(
  proof: Tried,
  { faults, variations, cheats }: Repertoire,
  open: readonly string[],
): string {
  const { escaped, late, unclean, falseAlarms, clashes, reactions, cheatTrials } = proof
  const fooled = fooledBy(cheatTrials)
  const missed = new Set(escaped.map(({ fault }) => fault)).size
  return [
    ...unclean.map(({ requirement, reason }) => `without a fault, ${requirement} turned red: ${reason}`),
    ...escaped.map(
      ({ fault, requirement, verdict, reason }) =>
        `${fault} was not caught by ${requirement}: ${verdict}, ${reason}`,
    ),
    ...late.map(({ fault, requirement }) => `${fault} was caught by ${requirement} at the second try only`),
    ...falseAlarms.map(
      ({ variation, requirement, reason }) =>
        `${variation} is harmless, yet ${requirement} turned red: ${reason}`,
    ),
    ...clashSentences(clashes),
    ...fooled.map(({ cheat }) => `${cheat} would be called conformant`),
    ...open.map((id) => `${id} has no fault, and suites/unbreakable.ts does not say why`),
    `${faults.length - missed} of ${faults.length} faults caught, by ${new Set(reactions.map(({ requirement }) => requirement)).size} requirements; ` +
      `${variations.length} harmless variations, ${falseAlarms.length} false alarms; ` +
      `${cheats.length} cheats, ${fooled.length} called conformant`,
    '',
  ].join('\n')
}
