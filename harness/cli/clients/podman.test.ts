import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClient } from './client.test-support.ts'
import { writeLayout } from './layout.test-support.ts'
import { ownStorage } from './storage.test-support.ts'

test('podman: login, push, pull, mount, list tags', async (context) => {
  const podman = await openClient(context, 'podman', {
    always: (folder) => [...ownStorage(folder), '--runtime', 'runc', '--cgroup-manager', 'cgroupfs'],
  })
  const { host, username, password, folder } = podman
  const open = ['--tls-verify=false', '--authfile', join(folder, 'auth.json')]
  await writeLayout(join(folder, 'in'), 'podman')
  const one = `${host}/conformance/podman`
  const two = `${host}/conformance/podman-two`

  await podman.run('login', ...open, '-u', username, '-p', password, host)
  const id = (await podman.run('pull', '--quiet', 'oci:in:latest')).trim()
  await podman.run('push', ...open, id, `${one}:latest`)
  const stored = await podman.stored('conformance/podman', 'latest')
  expect(stored?.[1]).toBe(`sha256:${id}`)

  await podman.run('push', ...open, id, `${two}:other`)
  expect(await podman.stored('conformance/podman-two', 'other')).toEqual(stored)
  expect(podman.mounted()).toBeGreaterThan(0)

  expect(await podman.run('search', ...open, '--list-tags', one)).toMatch(/ latest\n$/)
  await podman.run('rmi', '--force', id)
  expect((await podman.run('pull', '--quiet', ...open, `${two}@${stored?.[0]}`)).trim()).toBe(id)
})
