import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dockerCredentials } from './docker-config.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-docker-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

const registry = 'https://r.example:5000/base'
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What is found when `config.json` holds this, and a helper called `trial` is a shell script of this text. */
async function found(config: unknown, helper = ''): Promise<unknown> {
  await writeFile(join(folder, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config))
  await writeFile(join(folder, 'docker-credential-trial'), `#!/bin/sh\n${helper}\n`, { mode: 0o755 })
  return dockerCredentials(registry, { DOCKER_CONFIG: folder, PATH: `${folder}:${process.env['PATH']}` })
}

describe('config.json', () => {
  test.each([
    ['the host', 'r.example:5000'],
    ['a URL of the host', 'https://r.example:5000'],
    ['a URL with a path', 'https://r.example:5000/v2/'],
  ])('under %s', async (_, name) => {
    const auths = { 'other.example': { auth: base64('x:y') }, [name]: { auth: base64('o:p:w') } }
    expect(await found({ auths })).toEqual({ username: 'o', password: 'p:w' })
  })

  test('without an entry for the registry there are none', async () => {
    expect(await found({ auths: { 'r.example': { auth: base64('o:p') } } })).toBeUndefined()
  })

  test.each([
    ['what is not JSON', '{', 'is not JSON'],
    [
      'an entry that is not base64 of a pair',
      { auths: { 'r.example:5000': { auth: 'bm9wZQ==' } } },
      'base64',
    ],
    [
      'an identity token',
      { auths: { 'r.example:5000': { auth: base64('o:'), identitytoken: 'secret' } } },
      'kept an identity token for r.example:5000, not a password',
    ],
  ])('%s is an error that says so', async (_, config, message) => {
    await expect(found(config)).rejects.toThrow(message)
  })
})

const answering = (text: string) => `read server; [ "$1 $server" = 'get r.example:5000' ] && echo '${text}'`

describe('a credential helper', () => {
  test.each([
    ['of all registries', { credsStore: 'trial' }],
    ['of this one', { credHelpers: { 'r.example:5000': 'trial' }, credsStore: 'absent' }],
  ])('%s is asked', async (_, config) => {
    const answer = answering('{"ServerURL":"r.example:5000","Username":"o","Secret":"p"}')
    expect(await found(config, answer)).toEqual({ username: 'o', password: 'p' })
  })

  test('that knows nothing leaves the entry of the file', async () => {
    const config = { credsStore: 'trial', auths: { 'r.example:5000': { auth: base64('o:p') } } }
    const helper = `echo 'credentials not found in native keychain'; exit 1`
    expect(await found(config, helper)).toEqual({ username: 'o', password: 'p' })
  })

  test.each([
    ['is not there', { credsStore: 'absent' }, '', 'docker-credential-absent failed'],
    ['fails', { credsStore: 'trial' }, 'exit 3', 'docker-credential-trial failed'],
    ['says what is not JSON', { credsStore: 'trial' }, 'echo locked', 'answered no Username and Secret'],
    [
      'says half of it',
      { credsStore: 'trial' },
      `echo '{"Username":"o"}'`,
      'answered no Username and Secret',
    ],
    [
      'has an identity token',
      { credsStore: 'trial' },
      answering('{"Username":"<token>","Secret":"s"}'),
      'kept an identity token for r.example:5000',
    ],
  ])('that %s is an error that says so', async (_, config, helper, message) => {
    await expect(found(config, helper)).rejects.toThrow(message)
  })
})
