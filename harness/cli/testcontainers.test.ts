import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { assay } from './command.test-support.ts'
import { held, needsDocker } from './containers/docker.test-support.ts'
import { loadTestcontainers } from './load-testcontainers.ts'
import { RegistryStack } from './testcontainers.ts'

test('containers are judged as any target is, and leave nothing behind', async (context) => {
  const images = await needsDocker(context)
  const before = await held()
  const stack = await new RegistryStack({ images }).start()
  const logs = stack.targets.registry?.logs ?? ''
  try {
    const only = ['oci.pull.*', 'auth.jwt.*', 'service.log.*'].flatMap((glob) => ['--only', glob])
    const input = JSON.stringify(stack.targets)
    const ended = await assay(['test', '--targets', '-', ...only, '--report', 'json=/dev/null'], { input })
    expect(ended.code, ended.stdout).toBe(0)
    expect(await readFile(logs, 'utf8')).toContain('"ipfs_cid":"')
  } finally {
    await stack.stop()
  }
  expect(await held()).toEqual(before)
  expect(existsSync(logs)).toBe(false)
}, 300_000)

test('a registry that does not start is an error with what it said, and nothing runs on', async (context) => {
  const images = await needsDocker(context)
  const before = await held()
  const starting = new RegistryStack({ images, signingSecret: 'too short' }).start()
  await expect(starting).rejects.toThrow('needs at least 32')
  expect(await held()).toEqual(before)
}, 300_000)

test('without the package, the error names the command that installs it', async () => {
  const absent = Object.assign(new Error("Cannot find package 'testcontainers' imported from test.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  const loading = loadTestcontainers(() => Promise.reject(absent))
  await expect(loading).rejects.toThrow('npm install --save-dev testcontainers@11')
})
