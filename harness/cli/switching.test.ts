import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stack } from '../../mocks/stack.ts'
import { assay } from './command.test-support.ts'
import { loadBehaviours } from './load-faults.ts'
import { startStack } from './mocks.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ services: ['registry'] })
})
afterAll(() => stack.close())

const url = ({ targets }: Stack) => targets.registry?.url ?? ''
const control = (path: string, method = 'GET') => fetch(`${url(stack)}/_mock/${path}`, { method })

/** What a client sees that has no token. */
async function seen(at: Stack): Promise<readonly [number, string | null]> {
  const { status, headers } = await fetch(`${url(at)}/v2/`)
  return [status, headers.get('www-authenticate')?.replace(/http:[^"]*/g, '…') ?? null]
}

test('serve and the control surface know every fault, variation and cheat', async () => {
  const { faults, variations, cheats } = await loadBehaviours()
  const { known } = await (await control('faults')).json()
  expect(new Set(known)).toEqual(new Set([...faults, ...variations, ...cheats].map(({ id }) => id)))
  expect(new Set(known).size).toBe(known.length)
})

test('the guide for people who test clients names faults and variations that there are', async () => {
  const { faults, variations } = await loadBehaviours()
  const known = new Set([...faults, ...variations].map(({ id }) => id))
  const guide = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8')
  const named = [...guide.matchAll(/^\| `.*?\|/gm)].flatMap(([cell]) =>
    [...cell.matchAll(/`([a-z][^`]*)`/g)].map(([, id]) => id),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((id) => id !== undefined && !known.has(id))).toEqual([])
})

test.for([
  ['a fault', 'auth.challenge.header.none'],
  ['a variation', 'auth.basic-beside'],
  ['a cheat', 'cheat.constant.202'],
] as const)('%s shows itself alike, whether it is on from the start or switched on', async ([, id]) => {
  const usual = await seen(stack)
  const started = await startStack({ services: ['registry'], active: [id] })
  const fromStart = await seen(started)
  await started.close()
  expect(fromStart).not.toEqual(usual)
  expect((await control(`faults/${id}`, 'PUT')).status).toBe(200)
  expect(await seen(stack)).toEqual(fromStart)
  expect((await control(`faults/${id}`, 'DELETE')).status).toBe(204)
  expect(await seen(stack)).toEqual(usual)
})

test('an id that nobody knows is answered with what was probably meant', async () => {
  const near = 'auth.basic-beside'
  const response = await control('faults/auth.basic-besides', 'PUT')
  expect(response.status).toBe(404)
  expect((await response.json()).error).toMatchObject({
    code: 'unknown-fault',
    message: expect.stringContaining(near),
  })
  const served = await assay(['serve', 'registry', '--registry-port', '0', '--fault', 'auth.basic-besides'])
  expect(served).toMatchObject({ code: 2, stderr: expect.stringContaining(near) })
  const explained = await assay(['explain', 'auth.basic-besides'])
  expect(explained).toMatchObject({ code: 2, stderr: expect.stringContaining(near) })
  const listed = await assay(['faults', 'auth.challenge.header.nome'])
  expect(listed).toMatchObject({ code: 2, stderr: expect.stringContaining('auth.challenge.header.none') })
})

test('explain tells a requirement with its faults, and a fault with its requirements', async () => {
  const requirement = JSON.parse((await assay(['explain', '--json', 'auth.challenge.header'])).stdout)
  expect(requirement).toMatchObject({ id: 'auth.challenge.header', level: 'MUST' })
  expect(requirement.faults).toContainEqual(expect.objectContaining({ id: 'auth.challenge.header.none' }))
  const { stdout } = await assay(['explain', 'auth.challenge.header.none'])
  expect(stdout).toContain('is caught by\n    auth.challenge.header\n')
  expect(stdout).toContain('a good client')
})
