import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assay, main } from './command.test-support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-commands-'))
})
afterAll(() => rm(folder, { recursive: true }))

const url = 'http://127.0.0.1:1'

describe('wrong usage ends with exit 2 and names the thing', () => {
  test.each([
    ['an unknown flag', ['test', '--registri', url], "unknown option '--registri'"],
    ['an unknown command', ['tset'], "unknown command 'tset'"],
    ['no URL', ['test', '--registry', 'registry.example.org'], 'begins with http:// or https://'],
    ['an unknown profile', ['test', '--profile', 'docker'], 'Allowed choices are oci, service'],
    ['a shard beyond the last', ['test', '--shard', '3/2'], 'K/N with K from 1 to N'],
    ['an unknown report format', ['test', '--report', 'pdf=x'], 'json, junit, html, markdown'],
    [
      'a username alone',
      ['test', '--registry', url, '--username', 'x'],
      '--username and --password belong together',
    ],
    ['a file that is not there', ['test', '--targets', 'nowhere.json'], 'cannot read nowhere.json'],
    [
      'a namespace that is no name',
      ['test', '--registry', url, '--namespace', 'A B'],
      'is no repository name',
    ],
    ['an unknown requirement', ['explain', 'oci.pull.blob.get.201'], 'near are oci.pull.blob.get.200'],
    ['an unknown fault', ['faults', 'no.such.*'], 'no fault matches "no.such.*"'],
  ])('%s', async (_, args, message) => {
    const ended = await assay(args, { cwd: folder })
    expect(ended.stderr).toContain(message)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
    expect(ended.code).toBe(2)
  })

  test('an unknown key of the target file, also from standard input', async () => {
    const input = JSON.stringify({ registry: { url, acounts: {} } })
    const ended = await assay(['test', '--targets', '-'], { cwd: folder, input })
    expect(ended.stderr).toContain('standard input does not describe targets')
    expect(ended.stderr).toContain('/registry: unknown key "acounts"')
    expect(ended.code).toBe(2)
  })

  test('a seed of the platform that is none', async () => {
    await writeFile(join(folder, 'seed.json'), '{"projects":[{"name":"no user"}]}')
    const ended = await assay(['serve', 'graphql', '--seed', 'seed.json'], { cwd: folder })
    expect(ended.stderr).toContain(
      '--seed: seed.json: The seed of the platform API is not valid: /projects/0',
    )
    expect(ended.code).toBe(2)
  })

  test('a baseline that is none, before anything is asked of the target', async () => {
    await writeFile(join(folder, 'baseline.json'), '[{"id":"x","reason":"y"}]')
    const ended = await assay(['test', '--registry', url, '--baseline', 'baseline.json'], { cwd: folder })
    expect(ended.stderr).toContain("must have required property 'expires'")
    expect(ended.code).toBe(2)
  })
})

test('a report that cannot be written ends with exit 4, and the others are written', async () => {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const only = ['--only', 'oci.base.ping.200']
  // A device that is always full.
  const reports = [
    '--report',
    'json=/dev/full',
    '--report',
    'html=baseline.json/x',
    '--report',
    'markdown=summary.md',
  ]
  const ended = await assay(['test', '--registry', target, ...only, ...reports], { cwd: folder })
  server.close()
  expect(ended.stderr).toContain('the json report could not be written to /dev/full: ENOSPC')
  expect(ended.stderr).toContain('the html report could not be written to baseline.json/x')
  expect(await readdir(folder)).toContain('summary.md')
  expect(ended.code).toBe(4)
})

test('Ctrl-C ends a run with exit 130 and leaves nothing behind', async () => {
  const temporary = join(folder, 'tmp')
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary)
  const child = spawn(process.execPath, [main, 'test'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: temporary },
  })
  child.stdout.resume()
  for await (const chunk of child.stderr) {
    if (String(chunk).includes('offers')) child.kill('SIGINT')
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
  expect(code).toBe(130)
  expect(await readdir(temporary)).toEqual([])
})

test('secrets of the command line do not reach any output', async () => {
  const server = createServer((request, response) => response.end(JSON.stringify(request.headers)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const args = ['test', '--registry', target, '--token', 'open-sesame', '--only', 'oci.base.*']
  const ended = await assay([...args, '--report', 'json=secret.json'], { cwd: folder })
  server.close()
  const report = await readFile(join(folder, 'secret.json'), 'utf8')
  expect(report).toContain('oci.base.ping.200')
  expect(ended.stdout + ended.stderr + report).not.toContain('open-sesame')
})
