import { terminal } from '../../reports/terminal.ts'
import { applyBaseline, type KnownFailure, parseBaseline } from '../baseline.ts'
import type { Report } from '../report.ts'
import { unexcused } from '../summary.ts'
import type { Targets } from '../target.ts'
import { conduct, type RunPlan } from './conduct.ts'
import { watchForEnd } from './ending.ts'
import { Exit, exits } from './exit.ts'
import { namedTargets, planRun, readFile } from './plan.ts'
import { createProgress, type Progress } from './progress.ts'
import type { TestFlags } from './test-options.ts'
import { writeReports } from './write-reports.ts'

/** Runs, reports and returns the exit code. */
export async function test(flags: TestFlags): Promise<number> {
  const colour = wantsColour(process.stderr)
  const progress = createProgress(process.stderr, colour)
  // Before anything is asked of a target: what is wrong with the command is said at once.
  const baseline = flags.baseline === undefined ? [] : parseBaseline(readFile(flags.baseline), flags.baseline)
  const job = { flags, progress, baseline }
  const named = await namedTargets(flags)
  if (named) return untilInterrupted((signal) => testTargets(named, job, signal))
  const { startStack } = await import('./mocks.ts')
  const stack = await startStack({ instances: 2 })
  try {
    progress.say('no target is named: testing the embedded stack of mocks')
    return await untilInterrupted((signal) => testTargets(stack.targets, job, signal))
  } finally {
    await stack.close()
  }
}

/** Ctrl-C, SIGTERM and the end of the npx that started us end the work at once. */
async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController()
  const interrupted = watchForEnd().ended.then(({ exitCode }) => {
    controller.abort()
    throw new Exit(exitCode, 'interrupted: no report was written')
  })
  return Promise.race([work(controller.signal), interrupted])
}

interface Job {
  readonly flags: TestFlags
  readonly progress: Progress
  readonly baseline: readonly KnownFailure[]
}

async function testTargets(targets: Targets, job: Job, signal: AbortSignal): Promise<number> {
  const { flags, progress } = job
  const plan = planRun(targets, flags, commandLine())
  announce(plan, progress)
  const { report, defects } = await conduct(plan, progress, signal)
  progress.end()
  const judged = excuse(report, job)
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
  const { targets, namespace, elsewhere, seed, readOnly, selection } = plan
  const { registry, storage, gateway, graphql } = targets
  const account = registry?.accounts?.owner?.username ?? (registry?.token ? 'the given token' : 'nobody')
  const places = elsewhere === undefined ? namespace : `${namespace} and ${elsewhere}`
  if (registry)
    progress.say(
      `registry  ${registry.url} as ${account}${readOnly ? ', read-only' : `, writes below ${places}`}`,
    )
  if (storage) progress.say(`storage   ${storage.url}${readOnly ? ', read-only' : ', adds small files'}`)
  if (gateway) progress.say(`gateway   ${gateway.url}`)
  if (graphql) progress.say(`graphql   ${graphql.url}`)
  progress.say(`profile ${selection.profile}, OCI Distribution ${selection.spec}, seed ${seed}`)
}

function excuse(report: Report, { progress, baseline }: Job): Report {
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

const wantsColour = (stream: { readonly isTTY?: boolean }) =>
  stream.isTTY === true && !process.env['NO_COLOR'] && !process.argv.includes('--no-color')
