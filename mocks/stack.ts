import { createClock } from './clock.ts'
import { type Control, createControl } from './control/control.ts'
import { ControlError } from './control/control-error.ts'
import type { Faults } from './control/faults.ts'
import type { Journal } from './control/journal.ts'
import { type StackClock, stackClock } from './stack/clock.ts'
import { type Closers, createClosers } from './stack/closers.ts'
import { openDataFolder } from './stack/data-folder.ts'
import { describeTargets } from './stack/describe-targets.ts'
import { openParts } from './stack/open-parts.ts'
import type { StackOptions } from './stack/options.ts'
import type { Parts } from './stack/parts.ts'
import { planStack } from './stack/plan.ts'
import { openPorts } from './stack/ports.ts'
import { deriveFrom, logins as loginsFrom, platformTokens } from './stack/secrets.ts'
import { signingSecret } from './stack/signing-secret.ts'
import type { Targets } from './stack/targets.ts'

/** A running stack: the services, where they are, and the control over them. */
export interface Stack {
  readonly targets: Targets
  readonly clock: StackClock
  readonly faults: Pick<Faults, 'on' | 'off' | 'active' | 'known'>
  readonly requests: Pick<Journal, 'list' | 'waitFor'>
  /** Returns to the state after start and cuts requests that are under way. */
  reset(): Promise<void>
  /** Ends the stack and removes what was temporary; requests under way may take `graceMs` (0 unless told). */
  close(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the services, and resolves once every port answers. Rejects with `StackError`, or with `ControlError` for a
 * fault that is not known, and then nothing is left running.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const closers = createClosers()
  try {
    return await start(options, closers)
  } catch (error) {
    await closers.close().catch(() => undefined)
    throw error
  }
}

async function start(options: StackOptions, closers: Closers): Promise<Stack> {
  const plan = planStack(options)
  const clock = createClock()
  const folder = await openDataFolder(options.data)
  closers.add(folder.release)
  const secret = await signingSecret({ ...options, folder: folder.path })
  const derive = deriveFrom(secret)
  const [logins, tokens] = [loginsFrom(derive), platformTokens(derive)]

  const control = createControl({
    clock,
    faults: options.faults ?? [],
    ...(options.controlToken !== undefined && { token: options.controlToken }),
    reset: () => reset(),
    targets: () => targets,
  })
  const { wrap } = control
  const { wrapStores, wrapLog } = control.faults
  const made = {
    folder: folder.path,
    clock,
    signingSecret: secret,
    logins,
    tokens,
    wrap,
    wrapStores,
    wrapLog,
  }
  const parts = await openParts({ ...options, ...plan, ...made })
  closers.add(parts.close)

  const { content, reset } = await beginAndAgain({ control, clock, parts, active: options.active ?? [] })
  closers.add(async () => void (await control.traffic.cut()))
  const ports = await openPorts({ plan, parts, control, numbers: options.ports })
  const targets = describeTargets({
    ...{ parts, origins: ports.origins, tokens, content },
    domain: options.domain,
    storageUrl: options.storageUrl,
    logins: options.open ? undefined : logins,
  })

  async function close(graceMs = 0): Promise<void> {
    await ports.close(graceMs)
    await closers.close()
  }
  return {
    targets,
    clock: stackClock(clock),
    faults: control.faults,
    requests: control.journal,
    reset: async () => void (await reset()),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

interface Beginning {
  readonly control: Control
  readonly clock: { run(): void }
  readonly parts: Parts
  /** The faults that are on from the start. */
  readonly active: readonly string[]
}

/** Brings a stack into the state after start, and gives the way back to it. */
async function beginAndAgain({ control, clock, parts, active }: Beginning) {
  const { faults, journal, traffic } = control
  const restore = await parts.snapshot?.()
  const begin = async () => {
    const content = (await parts.fill?.()) ?? []
    for (const id of active) await faults.on(id)
    return content
  }

  async function reset(): Promise<number> {
    if (!restore) {
      const reason =
        'this registry works on a database and a storage node that are not its own, so nothing is reset'
      throw new ControlError('cannot-reset', reason)
    }
    return traffic.exclusively(async () => {
      await faults.off()
      clock.run()
      await restore()
      await begin()
      journal.clear()
    })
  }
  return { content: await begin(), reset }
}
