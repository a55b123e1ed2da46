import { beforeEach, inject } from 'vitest'
import { getFn, setFn } from 'vitest/suite'
import { type AssertionTrace, withoutAssertion } from './switch.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What became of the assertions, in a run that has switches for them. */
    assertions?: AssertionTrace
  }
}

const trials = inject('trials')

beforeEach(({ task }) => {
  const test = getFn(task)
  const omit = trials?.trials[task.meta.trial ?? '']?.omit
  const note = (trace: AssertionTrace) => {
    task.meta.assertions = trace
  }
  setFn(task, () => withoutAssertion(omit, async () => test(), note))
})
