import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, openEngine } from '../containers/engine.test-support.ts'
import { openClient } from './client.test-support.ts'

let engine: Engine | string
beforeAll(async () => {
  engine = await openEngine()
})
afterAll(async () => {
  if (typeof engine !== 'string') await engine.stop()
})

test('docker: login, build, push, pull, mount', async (context) => {
  if (typeof engine === 'string') {
    context.task.meta.realPart = { name: 'docker', missing: engine }
    return context.skip(`docker: ${engine}`)
  }
  const at = engine.host
  const docker = await openClient(context, 'docker', {
    always: (folder) => ['--config', join(folder, 'docker'), ...(at === undefined ? [] : ['--host', at])],
  })
  const { host, username, password, folder } = docker
  const one = `${host}/conformance/docker:latest`
  const two = `${host}/conformance/docker-two:other`
  const idOf = async (image: string) =>
    (await docker.run('image', 'inspect', '--format', '{{.Id}}', image)).trim()

  await docker.run('login', '--username', username, '--password', password, host)
  await mkdir(join(folder, 'context'))
  await writeFile(join(folder, 'context', 'file'), `of ${host}`)
  await writeFile(join(folder, 'context', 'Dockerfile'), 'FROM scratch\nCOPY file /\nCOPY file /again\n')
  await docker.run('build', '--quiet', '--tag', one, join(folder, 'context'))
  const built = await idOf(one)
  await docker.run('push', one)
  const stored = await docker.stored('conformance/docker', 'latest')
  expect(stored?.[1]).toBe(built)

  await docker.run('tag', one, two)
  expect(await docker.run('push', two)).toContain('Mounted from conformance/docker')
  expect(await docker.stored('conformance/docker-two', 'other')).toEqual(stored)
  expect(docker.mounted()).toBe(2)

  await docker.run('image', 'rm', one, two)
  await docker.run('pull', two)
  expect(await idOf(two)).toBe(built)
  await docker.run('image', 'rm', two)
})
