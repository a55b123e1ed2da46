import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyVerdict, report, result } from '../../reports/sample.test-data.ts'
import { assay } from './command.test-support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-report-'))
  const save = (name: string, value: object) => writeFile(join(folder, name), JSON.stringify(value))
  await save('good.json', report([result('a.b')]))
  await save('bad.json', report([result('a.b', { verdict: 'violated' })]))
  await save('every.json', report(everyVerdict))
  await save(
    'other.json',
    report([result('a.b', { verdict: 'violated' })], { targets: { registry: { url: 'http://o' } } }),
  )
})
afterAll(() => rm(folder, { recursive: true }))

const run = (...args: readonly string[]) => assay(['report', ...args], { cwd: folder })

test('one run is rendered on the terminal, or in the formats that are asked for', async () => {
  const shown = await run('every.json')
  expect(shown.stdout).toContain('✗ oci.push.blob.chunk.out-of-order.416  MUST violated')
  expect(shown.code).toBe(0)
  const written = await run('every.json', '--report', 'html=page.html', '--report', 'junit=out/junit.xml')
  expect(written).toMatchObject({ code: 0, stdout: '' })
  expect(await readFile(join(folder, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/)
  expect(await readFile(join(folder, 'out', 'junit.xml'), 'utf8')).toContain('<testsuite')
})

test.each([
  ['what got worse', ['good.json', 'bad.json'], 1, 'Newly violated: 1'],
  ['what got better', ['bad.json', 'good.json'], 0, 'Holds now: 1'],
  ['nothing new', ['good.json', 'good.json'], 0, 'Nothing changed.'],
  ['another target', ['good.json', 'other.json'], 0, '1 requirement on which they do not agree'],
])('of two runs it is said %s', async (_, files, code, sentence) => {
  const ended = await run(...files, '--report', 'html=compared.html', '--report', 'markdown=compared.md')
  expect(ended.stdout).toContain(sentence)
  expect(ended.code).toBe(code)
  expect(await readFile(join(folder, 'compared.md'), 'utf8')).toContain('## Runs compared')
})

test.each([
  ['no file', [], 'missing required argument'],
  ['a file that is not there', ['nowhere.json'], 'cannot read nowhere.json'],
  [
    'a comparison as JUnit',
    ['good.json', 'bad.json', '--report', 'junit=x'],
    'html or markdown, not as junit',
  ],
])('%s is wrong usage', async (_, args, message) => {
  const ended = await run(...args)
  expect(ended.stderr).toContain(message)
  expect(ended.code).toBe(2)
})

test('what is no report is refused with the place', async () => {
  await writeFile(join(folder, 'none.json'), '{"schemaVersion":1}')
  const ended = await run('none.json')
  expect(ended.stderr).toContain('none.json is no report of Assay')
  expect(ended.stderr).toContain("must have required property 'tool'")
  expect(ended.code).toBe(2)
})
