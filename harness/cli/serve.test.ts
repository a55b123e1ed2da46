import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serve } from '../../mocks/serve.ts'
import type { Targets } from '../../mocks/stack/targets.ts'
import { assay, main } from './command.test-support.ts'

const anyPorts = ['registry', 'storage', 'gateway', 'graphql'].flatMap((name) => [`--${name}-port`, '0'])

let folder: string
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-test-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

/** Starts a command whose first line of output is the target object. Its temporary folders lie in `folder`. */
async function start(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const lines = createInterface(child.stdout)
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  if (line === undefined) throw new Error(`it ended: ${await text(child.stderr)}`)
  const targets: Targets = JSON.parse(line)
  return { child, targets, outputEnded: once(lines, 'close') }
}

const isDown = (url = '') => expect(fetch(url)).rejects.toThrow()

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'prints the target object when everything answers, and ends cleanly at %s',
  async ([signal, code]) => {
    const { child, targets } = await start(process.execPath, [main, 'serve', '--json', ...anyPorts])
    const { registry, storage, gateway, graphql } = targets
    expect((await fetch(`${registry?.url}/v2/`)).status).toBe(401)
    expect((await fetch(`${storage?.url}/api/v0/id`, { method: 'POST' })).status).toBe(200)
    expect((await fetch(`${gateway?.url}/ipfs/nothing`)).status).toBe(400)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${graphql?.tokens.valid}` }
    const body = JSON.stringify({ query: '{ projects { data { id } } }' })
    expect(await (await fetch(`${graphql?.url}`, { method: 'POST', headers, body })).json()).toHaveProperty(
      'data',
    )
    expect(await (await fetch(`${storage?.control}targets`)).json()).toEqual(targets)

    child.kill(signal)
    expect(await once(child, 'close')).toEqual([code, null])
    await isDown(registry?.url)
    expect(await readdir(folder)).toEqual([])
  },
)

test('ends when the npx that started it is killed, though a shell stands between the two', async () => {
  const command = `"${process.execPath}" "${main}" serve graphql --json --graphql-port 0; true`
  const npx = `require('child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`
  const { child, targets, outputEnded } = await start(process.execPath, ['-e', npx], { npm_execpath: 'npx' })
  child.kill('SIGKILL')
  await outputEnded
  await isDown(targets.graphql?.url)
  expect(await readdir(folder)).toEqual([])
})

test('a process that exits without closing its stack leaves no temporary folder', async () => {
  const library = new URL('./mocks.js', pathToFileURL(main)).href
  const script = `const { startStack } = await import('${library}')
    console.log(JSON.stringify((await startStack({ services: ['graphql'] })).targets))
    process.exit(3)`
  const { child } = await start(process.execPath, ['--input-type=module', '-e', script])
  expect(await once(child, 'close')).toEqual([3, null])
  expect(await readdir(folder)).toEqual([])
})

test('says what to do about a port that is taken, in one line', async () => {
  const squatter = await serve(() => new Response())
  const ended = await assay(['serve', ...anyPorts, '--gateway-port', `${squatter.port}`])
  await squatter.close()
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toBe(
    `port ${squatter.port} is taken on 127.0.0.1: choose another with --gateway-port, or --gateway-port 0 for any free one\n`,
  )
})

test.for<[string, string[], Record<string, string>, string]>([
  ['a secret that is too short', [], { REGISTRY_SIGNING_SECRET: 'x'.repeat(31) }, 'REGISTRY_SIGNING_SECRET'],
  ['a database of another kind', ['--database', 'mysql://x'], {}, '--database'],
  ['a database that is not there', ['--database', 'postgres://u:hidden@127.0.0.1:1/x'], {}, '--database'],
  ['a database host that is none', [], { REGISTRY_DB_HOST: 'a/b' }, 'REGISTRY_DB_HOST'],
  ['a storage URL that is none', ['--storage-url', 'ipfs'], {}, '--storage-url'],
  ['a fault that is not known', ['--fault', 'no.such'], {}, '--fault'],
  ['a service that is not known', ['database'], {}, 'registry, storage, graphql'],
  ['no port', ['--registry-port', '5OOO'], {}, '--registry-port'],
  ['a folder that is a file', ['--data', main], {}, '--data'],
])('refuses %s with exit 2', async ([, args, env, named]) => {
  const ended = await assay(['serve', ...anyPorts, ...args], { env: { TMPDIR: folder, ...env } })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(named)
  expect(ended.stderr).not.toMatch(/\n\s+at |hidden/)
  expect(await readdir(folder)).toEqual([])
})
