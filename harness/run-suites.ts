import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Vitest } from 'vitest/node'
import { type CollectedRun, type RawResult, RequirementReporter } from './reporter.ts'
import { type Requirement, requirement } from './requirement.ts'
import type { RunContext } from './run-context.ts'

export interface SuiteRunOptions {
  /** Requirements that are judged side by side. */
  readonly concurrency: number
  readonly onResult?: (result: RawResult) => void
  /** By id, requirements that are judged against targets of their own. */
  readonly cases?: Readonly<Record<string, RunContext>>
  /** Ends the run early; what was not reached is reported as not verified. */
  readonly signal?: AbortSignal
}

const extension = extname(fileURLToPath(import.meta.url))
const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs every suite of this package in Vitest. This is the one file that knows `vitest/node`; it starts Vitest on our
 * own package, wherever npm put it, and keeps the configuration of the user's project out.
 */
export async function runSuites(run: RunContext, options: SuiteRunOptions): Promise<CollectedRun> {
  const { onResult = () => {}, signal } = options
  const reporter = new RequirementReporter(run.selection.spec, onResult)
  const vitest = await open(run, options, reporter)
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
  include: [`**/*.suite${extension}`],
  exclude: [],
  watch: false,
  cache: false,
  environment: 'node',
  coverage: { enabled: false },
  // One worker whose modules stay: suites share connections and tokens, and start in a third of the time.
  pool: 'threads',
  isolate: false,
  fileParallelism: false,
} as const satisfies Parameters<typeof import('vitest/node')['createVitest']>[1]

const quiet = { logLevel: 'error', server: { watch: null }, clearScreen: false } as const

async function open(
  run: RunContext,
  { concurrency, cases = {} }: SuiteRunOptions,
  reporter: RequirementReporter,
): Promise<Vitest> {
  const { createVitest } = await import('vitest/node')
  // A request that hangs is ended by its own limit; this one only ends what loops.
  const patience = run.transport.timeoutMs * 20
  return createVitest(
    'test',
    {
      ...onOurPackage,
      maxConcurrency: concurrency,
      sequence: { concurrent: true },
      testTimeout: patience,
      hookTimeout: patience,
      passWithNoTests: true,
      provide: { run, cases },
      reporters: [reporter],
    },
    quiet,
  )
}
