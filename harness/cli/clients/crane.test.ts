import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClient } from './client.test-support.ts'
import { contents, writeLayout } from './layout.test-support.ts'

const from = 'go install github.com/google/go-containerregistry/cmd/crane@latest'

test('crane: login, push, pull, mount, list tags and repositories, delete', async (context) => {
  const crane = await openClient(context, 'crane', { version: 'version', from })
  const { host, username, password, folder } = crane
  const digest = await writeLayout(join(folder, 'in'), 'crane')
  const one = `${host}/conformance/crane`
  const two = `${host}/conformance/crane-two`

  await crane.run('auth', 'login', host, '-u', username, '-p', password)
  await crane.run('push', join(folder, 'in'), `${one}:latest`)
  const stored = await crane.stored('conformance/crane', 'latest')
  expect(stored?.[0]).toBe(digest)
  await crane.run('pull', '--format=oci', `${one}:latest`, join(folder, 'out'))
  expect(await contents(join(folder, 'out'))).toEqual(await contents(join(folder, 'in')))
  await crane.run('validate', '--remote', `${one}:latest`)

  await crane.run('copy', `${one}:latest`, `${two}:other`)
  expect(await crane.stored('conformance/crane-two', 'other')).toEqual(stored)
  expect(crane.mounted()).toBeGreaterThan(0)

  await crane.run('tag', `${one}:latest`, 'second')
  expect(await crane.run('ls', one)).toBe('latest\nsecond\n')
  expect((await crane.run('catalog', host)).split('\n')).toContain('conformance/crane-two')
  await crane.run('delete', `${two}@${digest}`)
  expect(await crane.stored('conformance/crane-two', digest)).toBeUndefined()
  expect(await crane.stored('conformance/crane', digest)).toEqual(stored)
})
