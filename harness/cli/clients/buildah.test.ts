import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClient } from './client.test-support.ts'
import { writeLayout } from './layout.test-support.ts'
import { ownStorage } from './storage.test-support.ts'

test('buildah: login, build, push, pull, mount', async (context) => {
  const buildah = await openClient(context, 'buildah', { always: ownStorage })
  const { host, username, password, folder } = buildah
  const open = ['--tls-verify=false', '--authfile', join(folder, 'auth.json')]
  await writeLayout(join(folder, 'in'), 'buildah')
  const one = `${host}/conformance/buildah`
  const two = `${host}/conformance/buildah-two`
  const idOf = async (image: string) => (await buildah.run('images', '--quiet', '--no-trunc', image)).trim()

  await buildah.run('login', ...open, '-u', username, '-p', password, host)
  const container = (await buildah.run('from', 'oci:in:latest')).trim()
  await buildah.run('config', '--label', 'built=by buildah', container)
  await buildah.run('commit', '--disable-compression=false', container, `${one}:latest`)
  const built = await idOf(`${one}:latest`)
  await buildah.run('push', ...open, `${one}:latest`)
  const stored = await buildah.stored('conformance/buildah', 'latest')
  expect(stored?.[1]).toBe(built)

  await buildah.run('push', ...open, `${one}:latest`, `docker://${two}:other`)
  expect(await buildah.stored('conformance/buildah-two', 'other')).toEqual(stored)
  expect(buildah.mounted()).toBeGreaterThan(0)

  await buildah.run('rm', container)
  await buildah.run('rmi', '--force', '--all')
  await buildah.run('pull', ...open, `${two}:other`)
  expect(await idOf(`${two}:other`)).toBe(built)
})
