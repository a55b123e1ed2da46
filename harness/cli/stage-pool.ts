import type { Stack } from '../../mocks/stack.ts'
import type { Stage } from '../trial-stages.ts'
import type { Repertoire } from './load-faults.ts'

export interface StagePool {
  /** Targets that behave in these ways; closing them gives them back, as they were after their start. */
  open(behaviours: readonly string[]): Promise<Stage>
  end(): Promise<void>
}

/** Stacks for faults: one is started where none is free, since a reset costs a hundredth of a start. */
export function createStagePool({ faults, variations, cheats }: Repertoire): StagePool {
  const free: Stack[] = []
  const all: Stack[] = []

  async function start(): Promise<Stack> {
    const { startStack } = await import('../../mocks/stack.ts')
    const stack = await startStack({ faults: [...faults, ...variations, ...cheats], instances: 2 })
    all.push(stack)
    return stack
  }

  return {
    async open(behaviours) {
      const stack = free.pop() ?? (await start())
      for (const id of behaviours) await stack.faults.on(id)
      return {
        targets: stack.targets,
        async close() {
          await stack.reset()
          free.push(stack)
        },
      }
    },
    async end() {
      await Promise.all(all.map((stack) => stack.close()))
    },
  }
}
