import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import type { HttpClient } from '../../harness/http.ts'
import { openLog } from './log-file.ts'

const http: HttpClient = {
  exchanges: [],
  recall: () => {},
  request: () => Promise.reject(new Error('not asked')),
}
const folders: string[] = []
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))))

async function logOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-log-'))
  folders.push(folder)
  const path = join(folder, 'registry.log')
  await writeFile(path, text)
  return path
}

test.for(['', 'earlier\n'])(
  'gives the lines written after %j, and waits for the one it is asked for',
  async (before) => {
    const path = await logOf(before)
    const log = await openLog(http, path)
    await appendFile(path, 'one\n\n')
    const asked = log.linesOnce('two')
    await appendFile(path, 'two\nhal')
    expect(await asked).toEqual(['one', 'two'])
  },
)

test('a log that is not there is a prerequisite that failed', async () => {
  await expect(openLog(http, join(tmpdir(), 'assay-no-such-log'))).rejects.toBeInstanceOf(PrerequisiteFailure)
})
