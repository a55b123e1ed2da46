import { expect, test as unit } from 'vitest'
import { Stopped } from '../harness/errors.ts'
import { fakeHttp } from '../harness/fake-http.test-support.ts'
import { createRedactor } from '../harness/redactor.ts'
import type { RunContext } from '../harness/run-context.ts'
import type { Session } from '../harness/test.ts'
import { useRegistry } from './registry.ts'

const run = {
  selection: {},
  targets: { registry: { url: 'http://r' } },
  access: { scheme: 'open' },
  seed: 1,
  namespace: 'n',
}

unit('what several requirements read is made once, and each has the exchanges in its record', async () => {
  const prepared: Session['prepared'] = new Map()
  const session = {
    transport: {},
    redactor: createRedactor(),
    tokens: new Map(),
    prepared,
  } as unknown as Session
  const recalled: string[] = []
  const use = (component: string) => {
    const { http } = fakeHttp(() => [200])
    const recall = () => void recalled.push(component)
    return useRegistry({ run: run as unknown as RunContext, session, http: { ...http, recall }, component })
  }
  let made = 0
  const make = async ({ repository }: { repository: string }) => {
    made += 1
    return repository
  }
  const values = await Promise.all([use('one').once('shared', make), use('other').once('shared', make)])
  expect(values).toEqual(['n/shared', 'n/shared'])
  expect(made).toBe(1)
  expect(recalled.sort()).toEqual(['one', 'other'])
})

unit('what several requirements read is not made any longer once the run is over', async () => {
  const session = {
    transport: {},
    redactor: createRedactor(),
    tokens: new Map(),
    prepared: new Map(),
    ended: AbortSignal.abort(),
  } as unknown as Session
  const { http } = fakeHttp(() => [200])
  const registry = useRegistry({ run: run as unknown as RunContext, session, http, component: 'one' })
  await expect(registry.once('late', ({ client }) => client.get('/v2/'))).rejects.toThrow(Stopped)
})
