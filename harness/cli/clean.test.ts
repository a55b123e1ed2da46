import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Stack, startStack } from '../../mocks/stack.ts'
import { readJournal } from '../journal/journal.ts'
import { nameFrom } from '../names.ts'
import { probe } from '../probe/probe.ts'
import type { Report } from '../report.ts'
import { assay, main } from './command.test-support.ts'

let folder: string
let stack: Stack
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-clean-'))
  stack = await startStack()
  await writeFile(join(folder, 'targets.json'), JSON.stringify(stack.targets))
})
afterAll(async () => {
  await stack.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await stack.reset()
  await rm(join(folder, 'assay'), { recursive: true, force: true })
})

const env = () => ({ XDG_STATE_HOME: folder, HOME: folder, TMPDIR: folder })
const targets = ['--targets', 'targets.json']
const some = ['oci.push.manifest.*', 'oci.discovery.*', 'graphql.projects.*'].flatMap((glob) => [
  '--only',
  glob,
])
const run = (...args: readonly string[]) => assay(args, { cwd: folder, env: env() })
const tested = (...args: readonly string[]) =>
  run('test', ...targets, ...some, '--seed', '7', '--report', 'json=report.json', ...args)
const report = async () => JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
const violated = async () =>
  (await report()).requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id)
const journals = () => readdir(join(folder, 'assay', 'runs')).catch(() => [])

/** The answer of the registry to the owner. */
async function asOwner(path: string, scope: string): Promise<Response> {
  const { registry } = stack.targets
  const { username = '', password = '' } = registry?.accounts?.owner ?? {}
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const login = await fetch(`${registry?.url}/token?scope=${scope}`, { headers: { authorization } })
  const { token } = (await login.json()) as { token: string }
  return fetch(`${registry?.url}/v2/${path}`, { headers: { authorization: `Bearer ${token}` } })
}

/** The tags of the registry and the projects of the platform. */
async function contents(): Promise<readonly string[]> {
  const catalogue = await asOwner('_catalog?n=1000', 'registry:catalog:*')
  const { repositories } = (await catalogue.json()) as { repositories: string[] }
  const tags = await Promise.all(
    repositories.map(async (name) => {
      const listed = await asOwner(`${name}/tags/list`, `repository:${name}:pull`)
      return (((await listed.json()) as { tags?: string[] }).tags ?? []).map((tag) => `${name}:${tag}`)
    }),
  )
  const { graphql } = stack.targets
  const listed = await fetch(`${graphql?.url}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${graphql?.tokens?.valid}` },
    body: JSON.stringify({ query: '{ projects { data { name } } }' }),
  })
  const { data } = (await listed.json()) as { data: { projects: { data: { name: string }[] } } }
  return [...tags.flat(), ...data.projects.data.map(({ name }) => name)]
}

/** The manifests and blobs of a journal that the registry still has. */
async function stillThere(journal: string): Promise<readonly string[]> {
  const { ledger } = readJournal(journal)
  const named = ledger.things().flatMap((thing) => ('digest' in thing ? [thing] : []))
  const found = await Promise.all(
    named.map(async ({ kind, repository, digest }) => {
      const path = `${repository}/${kind}s/${digest}`
      return (await asOwner(path, `repository:${repository}:pull`)).status === 200 ? [path] : []
    }),
  )
  return found.flat()
}

async function pins(): Promise<readonly string[]> {
  const answer = await fetch(`${stack.targets.storage?.url}/api/v0/pin/ls?type=recursive`, { method: 'POST' })
  return Object.keys(((await answer.json()) as { Keys?: object }).Keys ?? {}).sort()
}

/** Starts a run and resolves when it has written a good deal. */
async function underWay() {
  const child = spawn(process.execPath, [main, 'test', ...targets, ...some, '--seed', '7'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env() },
  })
  child.stdout.resume()
  const said = text(child.stderr)
  await stack.requests.waitFor(
    { operation: 'oci.manifest.put', status: 201 },
    { count: 20, timeoutMs: 60_000 },
  )
  return { child, said }
}

describe('a run removes what it made', () => {
  test('in the registry and on the platform, and its journal with it', async () => {
    const before = await contents()
    await tested()
    const { cleanup } = await report()
    expect(await violated()).toEqual([])
    expect(cleanup).toMatchObject({ residue: [] })
    expect(cleanup?.removed).toBeGreaterThan(100)
    expect(await contents()).toEqual(before)
    expect(await journals()).toEqual([])
  })

  test('on a storage node, but no pin that was there before', async () => {
    const { storage, gateway } = stack.targets
    const form = new FormData()
    form.set('file', new Blob(['hello world']))
    await fetch(`${storage?.url}/api/v0/add`, { method: 'POST', body: form })
    const before = await pins()
    const where = ['--storage', `${storage?.url}`, '--gateway', `${gateway?.url}`]
    await run('test', ...where, '--only', 'storage.add*', '--report', 'json=report.json')
    expect(await violated()).toEqual([])
    expect((await report()).cleanup?.removed).toBeGreaterThan(50)
    expect(await pins()).toEqual(before)
    expect(before).toContain('Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD')
  })

  test('so that a second run with the same seed says the same', async () => {
    const verdicts = async () =>
      (await report()).requirements.map(({ id, verdict }) => `${id} ${verdict}`).sort()
    await tested()
    const first = await verdicts()
    await tested()
    expect(await verdicts()).toEqual(first)
  })

  test('at Ctrl-C too, and ends with 130', async () => {
    const before = await contents()
    const { child, said } = await underWay()
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(code).toBe(130)
    expect(await said).toMatch(/interrupted: removing what the run made.*\n(.*\n)*removed \d+ things/)
    expect(await contents()).toEqual(before)
  })
})

describe('what a killed run left', () => {
  async function killed() {
    const before = await contents()
    const { child } = await underWay()
    child.kill('SIGKILL')
    await once(child, 'exit')
    const [name = ''] = await journals()
    const journal = join(folder, 'assay', 'runs', name)
    expect(await stillThere(journal)).not.toEqual([])
    return { before, journal }
  }

  test('is listed, and removed by assay clean', async () => {
    const { before, journal } = await killed()
    const secrets = Object.values(stack.targets.registry?.accounts ?? {}).map(({ password }) => password)
    const written = await readFile(journal, 'utf8')
    for (const secret of secrets) expect(written).not.toContain(secret)
    const copy = join(folder, 'copy.journal')
    await writeFile(copy, written)
    const listed = await run('clean', '--dry-run')
    expect(listed.stdout).toMatch(/^ {2}tag conformance\/\w+\/oci-.*:\S+$/m)
    expect(listed.code).toBe(0)
    const cleaned = await run('clean', ...targets)
    expect(cleaned.stdout).toMatch(/removed \d+ things/)
    // The answer to the start of an upload may not have come when the run was killed.
    const left = cleaned.stdout.split('\n').filter((line) => line.includes('left:'))
    expect(left.filter((line) => !line.endsWith('no Location of it came'))).toEqual([])
    expect(cleaned.code).toBe(left.length === 0 ? 0 : 1)
    expect(await contents()).toEqual(before)
    expect(await stillThere(copy)).toEqual([])
    expect(await journals()).toEqual([])
    expect((await run('clean')).stderr).toContain('nothing to clean')
  })

  test('is removed by the next run with the same seed before it begins', async () => {
    const { before } = await killed()
    const { stderr } = await tested()
    expect(stderr).toMatch(/removed \d+ things that a killed run with this seed had left/)
    expect(await violated()).toEqual([])
    expect(await contents()).toEqual(before)
    expect(await journals()).toEqual([])
  })

  test('stays where credentials are missing, and assay clean says so', async () => {
    const { journal } = await killed()
    const cleaned = await run('clean', journal)
    expect(cleaned.stderr).toContain('credentials are missing or refused')
    expect(cleaned.code).toBe(2)
    expect(await journals()).toHaveLength(1)
  })

  test('is not looked for on another target', async () => {
    const { journal } = await killed()
    const elsewhere = await run('clean', journal, '--registry', 'http://127.0.0.1:1')
    expect(elsewhere.stderr).toContain(
      `its registry is ${stack.targets.registry?.url}, not http://127.0.0.1:1`,
    )
    expect(elsewhere.code).toBe(2)
  })
})

test('what was in the namespace before the run stays, and the run says so', async () => {
  const { registry } = stack.targets
  const owner = registry?.accounts?.owner ?? { username: '', password: '' }
  const namespace = `${registry?.namespace}/${nameFrom(7, 'run')}`
  const transport = { timeoutMs: 10_000, connections: 2 }
  await probe({
    targets: { registry: { url: registry?.url ?? '', accounts: { owner } } },
    transport,
    namespace,
    readOnly: false,
  })
  const before = await contents()
  const { stderr } = await tested('--skip', 'oci.push.*', '--skip', 'oci.discovery.*')
  expect(stderr).toContain(`${namespace} holds content already: a run with the seed 7 was here`)
  expect((await report()).cleanup?.residue).toContainEqual(
    expect.objectContaining({ kind: 'tag', reason: expect.stringContaining('in use before the run') }),
  )
  expect(await contents()).toEqual(expect.arrayContaining([...before]))
})

test('a journal that is not there, and a target that does not answer', async () => {
  const missing = await run('clean', 'nowhere.journal')
  expect(missing.stderr).toContain('nowhere.journal is no journal of a run: ENOENT')
  expect(missing.code).toBe(2)
  const header = {
    journal: 1,
    tool: 'assay',
    startedAt: '2026-11-21T03:00:00.000Z',
    host: 'elsewhere',
    pid: 1,
    seed: 7,
    namespace: 'assay/x',
    targets: { registry: 'http://127.0.0.1:1' },
  }
  const left = { made: [{ kind: 'tag', repository: 'assay/x/a', tag: 't' }] }
  await writeFile(join(folder, 'old.journal'), `${JSON.stringify(header)}\n${JSON.stringify(left)}\n`)
  await utimes(join(folder, 'old.journal'), 0, 0)
  const unreachable = await run('clean', 'old.journal')
  expect(unreachable.stderr).toContain('the registry cannot be reached')
  expect(unreachable.code).toBe(3)
})

test('a read-only run writes nothing to any target', async () => {
  const before = [await contents(), await pins()]
  const { stderr } = await run('test', ...targets, '--read-only', '--report', 'json=report.json')
  expect(stderr).toMatch(/storage {3}\S+ as nobody, read-only/)
  expect(await violated()).toEqual([])
  expect([await contents(), await pins()]).toEqual(before)
  const { requirements } = await report()
  expect(requirements.find(({ id }) => id === 'storage.add')).toMatchObject({
    verdict: 'not-verified',
    cause: 'not-configured',
    reason: 'the run is read-only, and this needs POST /api/v0/add',
  })
})
