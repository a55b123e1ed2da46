import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProvidedContext } from 'vitest'
import type { Vitest } from 'vitest/node'
import { type Assertion, assertionSwitches } from './assertions/plugin.ts'
import { offerContext } from './context-call.ts'
import { type CollectedRun, type RawResult, RequirementReporter } from './reporter.ts'
import { type Requirement, requirement, type SpecVersion } from './requirement.ts'
import type { RunContext, RunStart } from './run-context.ts'
import { beginSuiteThread, suiteThreads } from './suite-thread.ts'
import type { TransportOptions } from './transport.ts'
import { planTrials, type Trial } from './trial.ts'
import { type OpenTrial, offerStages } from './trial-stages.ts'

export interface SuiteRunOptions {
  /** Requirements that are judged side by side. */
  readonly concurrency: number
  readonly onResult?: (result: RawResult) => void
  /** Judges in another order, made from this number. */
  readonly shuffle?: number
  /** Ends the run early; what was not reached is reported as not verified. */
  readonly signal?: AbortSignal
}

const extension = extname(fileURLToPath(import.meta.url))
const isBuilt = extension === '.js'
const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs every suite of this package in Vitest. This is the one file that knows `vitest/node`; it starts Vitest on our
 * own package, wherever npm put it, and keeps the configuration of the user's project out.
 */
export async function runSuites(options: TargetRunOptions): Promise<CollectedRun> {
  const { look, start, onResult = () => {} } = options
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const offer = offerContext(look)
  // Where the targets cannot be looked at, that is what a run says, and not what each requirement made of it.
  let failure: { readonly error: unknown } | undefined
  offer.found.catch((error: unknown) => {
    failure = { error }
    stop.abort()
  })
  const heard = (result: RawResult) => failure ?? onResult(result)
  try {
    const provided = { context: offer.channel, plan: start }
    const collected = await execute(
      { ...options, signal, onResult: heard, specOf: () => start.selection.spec },
      provided,
    )
    if (failure) throw failure.error
    return collected
  } finally {
    offer.end()
  }
}

export interface TargetRunOptions extends SuiteRunOptions {
  /** Finds out what the targets are and offer; called once the suites are loaded. */
  readonly look: () => Promise<RunContext>
  /** What it is to judge; requirements that this leaves out are not even looked at. */
  readonly start: RunStart
  readonly transport: TransportOptions
}

export interface TrialRunOptions extends SuiteRunOptions {
  readonly trials: readonly Trial[]
  /** Opens the targets of a trial, by its id. */
  readonly open: OpenTrial
  readonly transport: TransportOptions
  readonly seed: number
  /** Gives the assertions of the suites switches, and is told those of each module. */
  readonly onAssertions?: (found: readonly Assertion[]) => void
}

/**
 * Judges the requirements of many trials in one run, each on the targets of its trial: to start Vitest takes longer
 * than most trials.
 */
export async function runTrials(options: TrialRunOptions): Promise<CollectedRun> {
  const { transport, seed } = options
  const stages = offerStages(options.open)
  try {
    const trials = planTrials(options.trials, { channel: stages.channel, transport, seed })
    const specOf = (trial = '') => trials.trials[trial]?.spec ?? 'dev'
    return await execute({ ...options, specOf }, { trials })
  } finally {
    await stages.end()
  }
}

interface Execution extends SuiteRunOptions, Pick<TrialRunOptions, 'transport' | 'onAssertions'> {
  readonly specOf: (trial: string | undefined) => SpecVersion
}

async function execute(execution: Execution, provide: Partial<ProvidedContext>): Promise<CollectedRun> {
  const { onResult = () => {}, signal, specOf } = execution
  const reporter = new RequirementReporter(specOf, onResult)
  const vitest = await open(execution, provide, reporter)
  const cancel = () => void vitest.cancelCurrentRun('keyboard-input')
  signal?.addEventListener('abort', cancel)
  try {
    await vitest.start()
  } finally {
    signal?.removeEventListener('abort', cancel)
    await vitest.close()
  }
  return reporter.collected
}

/** Every requirement that the suites declare, in the order of their ids. Nothing is run. */
export async function collectRequirements(): Promise<readonly Requirement[]> {
  if (isBuilt) beginSuiteThread()
  const { createVitest } = await import('vitest/node')
  const vitest = await createVitest('test', { ...onOurPackage, reporters: [] }, quiet)
  try {
    const { testModules, unhandledErrors } = await vitest.collect()
    const broken = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors]
    if (broken.length > 0) throw new Error(`a suite cannot be read: ${(broken[0] as Error).message}`)
    return testModules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => {
        const declared = test.meta().requirement
        return declared ? [requirement(test.name, declared)] : []
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  } finally {
    await vitest.close()
  }
}

const onOurPackage = {
  config: false,
  root: packageRoot,
  dir: join(packageRoot, 'suites'),
  include: [`begin${extension}`],
  // What is built needs no transformation.
  server: { deps: { external: [/\.js$/] } },
  exclude: [],
  watch: false,
  cache: false,
  environment: 'node',
  coverage: { enabled: false },
  // One worker whose modules stay: suites share connections and tokens, and start in a third of the time.
  pool: isBuilt ? suiteThreads : 'threads',
  isolate: false,
  fileParallelism: false,
} as const satisfies Parameters<typeof import('vitest/node')['createVitest']>[1]

const quiet = { logLevel: 'error', server: { watch: null }, clearScreen: false } as const

/** What is built needs no transformation, unless its assertions get switches. */
const switching = {
  pool: 'threads' as const,
  server: { deps: { external: [/\/dist\/(?!suites\/)/] } },
  setupFiles: [join(packageRoot, 'harness', 'assertions', `around-tests${extension}`)],
}

async function open(
  { concurrency, transport, onAssertions, shuffle }: Execution,
  provide: Partial<ProvidedContext>,
  reporter: RequirementReporter,
): Promise<Vitest> {
  if (isBuilt && !onAssertions) beginSuiteThread()
  const { createVitest, parseAst } = await import('vitest/node')
  // A request that hangs is ended by its own limit; this one only ends what loops.
  const patience = transport.timeoutMs * (onAssertions ? 2 : 20)
  const ours = endings.map((signal) => process.listeners(signal))
  const vitest = await createVitest(
    'test',
    {
      ...onOurPackage,
      ...(onAssertions && switching),
      maxConcurrency: concurrency,
      sequence: { concurrent: true, ...(shuffle !== undefined && { shuffle: true, seed: shuffle }) },
      testTimeout: patience,
      hookTimeout: patience,
      passWithNoTests: true,
      provide,
      reporters: [reporter],
    },
    { ...quiet, ...(onAssertions && { plugins: [assertionSwitches(parseAst, onAssertions)] }) },
  )
  for (const [i, signal] of endings.entries()) leaveTo(ours[i] ?? [], signal)
  return vitest
}

const endings = ['SIGINT', 'SIGTERM'] as const

/** Vitest ends the process on a signal, before what the run made could be removed. That is for the command to decide. */
function leaveTo(listeners: readonly NodeJS.SignalsListener[], signal: (typeof endings)[number]): void {
  for (const listener of process.listeners(signal)) {
    if (!listeners.includes(listener)) process.off(signal, listener)
  }
}
