import { expect, test } from 'vitest'
import { assay } from '../command.test-support.ts'
import { RegistryStack } from '../testcontainers.ts'
import { baseImage } from './base-image.test-support.ts'
import { held, needsDocker } from './docker.test-support.ts'
import { pushing } from './pushing.test-support.ts'

test('three registries on one PostgreSQL and one storage node are conformant, and leave nothing behind', async (context) => {
  const images = await needsDocker(context)
  const before = await held()
  const stack = await new RegistryStack({ images, instances: 3 }).start()
  try {
    expect(stack.targets.registry?.instances).toHaveLength(2)
    const input = JSON.stringify(stack.targets)
    const only = ['oci.*', 'auth.*', 'service.*'].flatMap((glob) => ['--only', glob])
    const ended = await assay(['test', '--targets', '-', ...only, '--report', 'json=/dev/null'], { input })
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
  } finally {
    await stack.stop()
  }
  expect(await held()).toEqual(before)
})

test('a registry that is killed in the middle of pushes loses nothing, and comes back with all of it', async (context) => {
  const stack = await new RegistryStack({ images: await needsDocker(context), instances: 2 }).start()
  try {
    const [first, second] = stack.registries
    if (!first || !second) throw new Error('two registries were asked for')
    const { username, password } = stack.targets.registry?.accounts?.owner ?? { username: '', password: '' }
    const pushes = pushing([first, second], { username, password })
    await pushes.reach(20)
    await second.kill()
    await pushes.reach(40)
    await second.start()
    await pushes.reach(60)
    const acknowledged = await pushes.end()
    expect(await pushes.missing(first, acknowledged)).toEqual([])
    expect(await pushes.missing(second, acknowledged)).toEqual([])
  } finally {
    await stack.stop()
  }
})

test('a container that cannot even be run is an error, and nothing is left', async (context) => {
  const images = await needsDocker(context)
  const before = await held()
  // It has no program of the name of Kubo's first argument.
  const starting = new RegistryStack({ images: { ...images, kubo: baseImage } }).start()
  await expect(starting).rejects.toMatchObject({ code: 'ERR_CONTAINER_START' })
  expect(await held()).toEqual(before)
})
