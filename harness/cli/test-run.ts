import { setTimeout as pause } from 'node:timers/promises'
import { terminal } from '../../reports/terminal.ts'
import type { KnownFailure } from '../baseline.ts'
import type { Report } from '../report.ts'
import { unexcused } from '../summary.ts'
import type { Targets } from '../target.ts'
import { announcement } from './announcement.ts'
import { wantsColour } from './colour.ts'
import { conduct, type Listener, type RunPlan } from './conduct.ts'
import { watchForEnd } from './ending.ts'
import { Exit, exits } from './exit.ts'
import { namedTargets, planRun, readFile } from './plan.ts'
import { createProgress, type Progress } from './progress.ts'
import type { TestFlags } from './test-options.ts'

/** Runs, reports and returns the exit code. */
export async function test(flags: TestFlags): Promise<number> {
  const colour = wantsColour(process.stderr)
  const progress = createProgress(process.stderr, colour)
  // Before anything is asked of a target: what is wrong with the command is said at once.
  const baseline = flags.baseline === undefined ? [] : await baselineIn(flags.baseline)
  const job = { flags, progress, baseline }
  const named = await namedTargets(flags)
  if (named) return untilInterrupted((signal) => testTargets(named, job, signal), progress)
  const { startStack } = await import('./mocks.ts')
  const stack = await startStack({ instances: 2 })
  try {
    progress.say('no target is named: testing the embedded stack of mocks')
    return await untilInterrupted((signal) => testTargets(stack.targets, job, signal, true))
  } finally {
    await stack.close()
  }
}

/** Less than the 10 s after which container engines kill. */
const mostToTidyUpMs = 8000

/**
 * Ctrl-C, SIGTERM and the end of the npx that started us end the work: at once where it leaves nothing behind, else
 * when what it made is removed; `progress` says so. A second one ends that too.
 */
async function untilInterrupted(
  work: (signal: AbortSignal) => Promise<number>,
  progress?: Progress,
): Promise<number> {
  const controller = new AbortController()
  const { ended, again } = watchForEnd()
  const working = work(controller.signal)
  const interrupted = ended.then(async ({ exitCode }) => {
    controller.abort()
    if (progress) {
      progress.say('interrupted: removing what the run made; once more to leave it')
      const done = working.then(
        () => true,
        () => true,
      )
      const given = new Promise<boolean>((resolve) => again(() => resolve(false)))
      if (!(await Promise.race([done, given, pause(mostToTidyUpMs, false)]))) {
        throw new Exit(exitCode, 'interrupted: not all of what the run made is removed; assay clean does it')
      }
    }
    throw new Exit(exitCode, 'interrupted: no report was written')
  })
  const finished = working.then(
    (code) => (controller.signal.aborted ? interrupted : code),
    (error) => {
      if (controller.signal.aborted) return interrupted
      throw error
    },
  )
  return Promise.race([finished, interrupted])
}

interface Job {
  readonly flags: TestFlags
  readonly progress: Progress
  readonly baseline: readonly KnownFailure[]
}

async function testTargets(
  targets: Targets,
  job: Job,
  signal: AbortSignal,
  disposable = false,
): Promise<number> {
  const { flags, progress, baseline } = job
  const plan = { ...planRun(targets, flags, commandLine()), disposable }
  announce(plan, progress)
  const listener: Listener = {
    ...progress,
    // Read while the targets remove what was made. Before, they and the suites need the processor.
    judgedAll: () => void reportWriting(),
  }
  const { report, defects } = await conduct(plan, listener, signal)
  if (signal.aborted) return exits.interrupted
  progress.end()
  const judged = baseline.length > 0 ? await excuse(report, job) : report
  const { writeReports } = await reportWriting()
  const written = await writeReports(judged, flags.report, flags.strict ?? false)
  const { stdout } = process
  stdout.write(
    terminal(judged, { colour: wantsColour(stdout), width: stdout.columns ?? 100, paths: written.paths }),
  )
  for (const problem of [...defects, ...written.failures]) progress.say(`Assay itself failed. ${problem}`)
  if (defects.length + written.failures.length > 0 || report.summary.byVerdict.error > 0) return exits.broken
  return unexcused(judged.requirements, plan.judging).length === 0 ? exits.conformant : exits.nonConformant
}

/** Before the first write: what will be written where, and as whom. */
function announce(plan: RunPlan, progress: Progress): void {
  for (const line of announcement(plan)) progress.say(line)
  const { selection, seed } = plan
  progress.say(`profile ${selection.profile}, OCI Distribution ${selection.spec}, seed ${seed}`)
}

const reportWriting = () => import('./write-reports.ts')

async function baselineIn(path: string): Promise<readonly KnownFailure[]> {
  const { parseBaseline } = await import('../baseline.ts')
  return parseBaseline(readFile(path), path)
}

async function excuse(report: Report, { progress, baseline }: Job): Promise<Report> {
  const { applyBaseline } = await import('../baseline.ts')
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const { results, remarks } = applyBaseline(report.requirements, baseline, today)
  for (const remark of remarks) progress.say(remark)
  return { ...report, requirements: results }
}

/** The command as it was given, without the values of secrets. */
function commandLine(): string {
  const secret = /^--(password|token|graphql-token)(=|$)/
  const shown: string[] = []
  for (const [i, argument] of process.argv.slice(2).entries()) {
    const before = process.argv[i + 1] ?? ''
    if (/^--(password|token|graphql-token)$/.test(before)) shown.push('…')
    else shown.push(secret.test(argument) ? argument.replace(/=.*/s, '=…') : quoted(argument))
  }
  return [
    'npx assay',
    ...shown.filter((word, i) => !/^--seed(=|$)/.test(word) && shown[i - 1] !== '--seed'),
  ].join(' ')
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
