import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Requirement, requirement } from './requirement.ts'
import { planTrials } from './trial.ts'
import { createTrialEntry } from './trial-entry.ts'
import { offerStages, type Stage, type TrialStages } from './trial-stages.ts'

const source = { document: 'd', section: 's', url: 'https://example.org' }
const first = requirement('graphql.first', { level: 'MUST', statement: 'one', source, needs: [] })
const transport = { timeoutMs: 1000, connections: 1 }
const events: string[] = []
let stages: TrialStages | undefined

const platform = createServer((_, response) => response.end('{}'))
beforeEach(async () => {
  events.length = 0
  platform.listen(0, '127.0.0.1')
  await once(platform, 'listening')
})
afterEach(async () => {
  await stages?.end()
  platform.closeAllConnections()
  platform.close()
})

async function open(trial: string): Promise<Stage> {
  if (trial === 'bad') throw new Error('no targets today')
  events.push(`open ${trial}`)
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}/`
  return { targets: { graphql: { url } }, close: async () => void events.push(`close ${trial}`) }
}

function entryOf(trials: Readonly<Record<string, readonly Requirement[]>>) {
  stages = offerStages(open)
  const list = Object.entries(trials).map(([id, requirements]) => ({
    ...{ id, spec: '1.1' as const },
    requirements: requirements.map((each) => each.id),
  }))
  return createTrialEntry(planTrials(list, { channel: stages.channel, seed: 7, transport }))
}

test('the requirements of a trial share its targets, which are closed after the last', async () => {
  const second = { ...first, id: 'graphql.second' }
  const entry = entryOf({ both: [first, second] })
  const [one, two] = await Promise.all([entry.enter('both', first), entry.enter('both', second)])
  expect(one).toBe(two)
  expect(one).toMatchObject({
    seed: 7,
    namespace: 'assay/trial-0',
    selection: { spec: '1.1', profile: 'service' },
  })
  expect(entry.leave('both')).toBe(false)
  expect(entry.leave('both')).toBe(true)
  await expect.poll(() => events).toEqual(['open both', 'close both'])
})

test('targets that cannot be opened say so to the requirement', async () => {
  const entry = entryOf({ bad: [first] })
  await expect(entry.enter('bad', first)).rejects.toThrow('no targets today')
})

test('what was not left is closed at the end', async () => {
  const entry = entryOf({ left: [first] })
  await entry.enter('left', first)
  await stages?.end()
  expect(events).toEqual(['open left', 'close left'])
})
