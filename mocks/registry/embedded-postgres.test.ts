import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPostgres } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

test('what is stored in a folder is there again after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-test-'))
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  const run = async <Result>(work: (connection: string) => Promise<Result>) => {
    const postgres = await startEmbeddedPostgres(data)
    try {
      return await work(postgres.connection)
    } finally {
      await postgres.close()
    }
  }
  await run(async (connection) => {
    const database = await openPostgres(connection)
    await database.query('insert into repository (name) values ($1)', ['kept'])
    await database.close()
  })
  const names = await run(async (connection) => {
    const database = await openPostgres(connection)
    const rows = await database.query('select name from repository')
    await database.close()
    return rows
  })
  expect(names).toEqual([{ name: 'kept' }])
  await rm(folder, { recursive: true })
}, 30_000)
