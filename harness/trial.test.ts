import { expect, test } from 'vitest'
import { planTrials } from './trial.ts'

test('a requirement is told every trial that judges it, and a trial how many requirements it has', () => {
  const plan = planTrials(
    [
      { id: 'a', spec: 'dev', requirements: ['x', 'y'] },
      { id: 'b', spec: '1.1', requirements: ['y'] },
    ],
    { channel: 'c', seed: 1, transport: { timeoutMs: 1, connections: 1 } },
  )
  expect(plan.byRequirement).toEqual({ x: ['a'], y: ['a', 'b'] })
  expect(plan.trials).toEqual({
    a: { spec: 'dev', size: 2, namespace: 'trial-0' },
    b: { spec: '1.1', size: 1, namespace: 'trial-1' },
  })
})
