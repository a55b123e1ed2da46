import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { codeOf, sha256, startRig } from './rig.contract.ts'

const postgres = await startEmbeddedPostgres()
const database = await openPostgres(postgres.connection)
const rig = await startRig({ database })
afterAll(async () => {
  await rig.close()
  await database.close()
  await postgres.close()
})

test('PostgreSQL is killed in the middle of a push, which can be done again once it is back', async ({
  task,
}) => {
  task.meta.realPart = { name: 'PostgreSQL', found: `PostgreSQL ${postgres.version} (embedded)` }
  const call = await rig.as('app')
  const bytes = randomBytes(1000)
  const location = (await call('POST', '/v2/app/blobs/uploads/')).headers.get('location') ?? ''
  const close = () => call('PUT', `${location}?digest=${sha256(bytes)}`, { body: bytes })
  const [backend] = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  // Where one of its processes is killed, PostgreSQL ends all the others, and recovers as after a crash.
  rig.storage.intercept = (command) => {
    if (command === 'pin/add') process.kill(backend?.pid ?? 0, 'SIGKILL')
    return undefined
  }
  const refused = await close()
  expect([refused.status, refused.headers.has('retry-after'), await codeOf(refused)]).toEqual([
    503,
    true,
    'UNAVAILABLE',
  ])
  rig.storage.intercept = () => undefined
  await expect.poll(async () => (await close()).status, { timeout: 10_000 }).toBe(201)
  const pulled = await call('GET', `/v2/app/blobs/${sha256(bytes)}`)
  expect(Buffer.from(await pulled.arrayBuffer()).equals(bytes)).toBe(true)
})

test('PostgreSQL is killed between two statements of a transaction, which fails, and nothing else does', async () => {
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const failed = database.transaction(async ({ query }) => {
    const [backend] = await query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = backend?.pid ?? 0
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await query('select 1')
  })
  await expect(failed).rejects.toMatchObject({ code: 'ERR_DATABASE_UNAVAILABLE' })
  await expect
    .poll(() => database.query('select 1').catch(() => undefined), { timeout: 10_000 })
    .toBeDefined()
})
