import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { getContainerRuntimeClient, LABEL_TESTCONTAINERS_SESSION_ID } from 'testcontainers'
import { expect, test } from 'vitest'
import { assay } from './command.test-support.ts'
import { needsDocker } from './containers/docker.test-support.ts'
import { loadTestcontainers } from './load-testcontainers.ts'
import { RegistryStack } from './testcontainers.ts'

/** The containers of tests that run now, but for the one that clears away after killed tests. */
async function running(): Promise<readonly string[]> {
  const { container } = await getContainerRuntimeClient()
  const found = await container.list()
  const ofTests = found.filter(({ Labels }) => LABEL_TESTCONTAINERS_SESSION_ID in Labels)
  return ofTests.map(({ Image }) => Image).filter((image) => !image.includes('ryuk'))
}

test('containers are judged as any target is, and leave nothing behind', async (context) => {
  const stack = await new RegistryStack({ images: await needsDocker(context) }).start()
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
  expect(await running()).toEqual([])
  expect(existsSync(logs)).toBe(false)
}, 300_000)

test('a registry that does not start is an error with what it said, and nothing runs on', async (context) => {
  const images = await needsDocker(context)
  const starting = new RegistryStack({ images, signingSecret: 'too short' }).start()
  await expect(starting).rejects.toThrow('needs at least 32')
  expect(await running()).toEqual([])
}, 300_000)

test('without the package, the error names the command that installs it', async () => {
  const absent = Object.assign(new Error("Cannot find package 'testcontainers' imported from test.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  const loading = loadTestcontainers(() => Promise.reject(absent))
  await expect(loading).rejects.toThrow('npm install --save-dev testcontainers@11')
})
