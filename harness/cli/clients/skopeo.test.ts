import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClient } from './client.test-support.ts'
import { contents, writeLayout } from './layout.test-support.ts'

test('skopeo: login, push, pull, mount, list tags, delete', async (context) => {
  const skopeo = await openClient(context, 'skopeo')
  const { host, username, password, folder } = skopeo
  const auth = ['--authfile', join(folder, 'auth.json')]
  const digest = await writeLayout(join(folder, 'in'), 'skopeo')
  const copy = (...args: readonly string[]) =>
    skopeo.run('copy', '--preserve-digests', '--insecure-policy', ...auth, ...args)
  const one = `docker://${host}/conformance/skopeo:latest`
  const two = `docker://${host}/conformance/skopeo-two:other`

  await skopeo.run('login', '--tls-verify=false', ...auth, '-u', username, '-p', password, host)
  await copy('--dest-tls-verify=false', `oci:${folder}/in:latest`, one)
  const stored = await skopeo.stored('conformance/skopeo', 'latest')
  expect(stored?.[0]).toBe(digest)
  await copy('--src-tls-verify=false', one, `oci:${folder}/out:latest`)
  expect(await contents(join(folder, 'out'))).toEqual(await contents(join(folder, 'in')))

  await copy('--src-tls-verify=false', '--dest-tls-verify=false', one, two)
  expect(await skopeo.stored('conformance/skopeo-two', 'other')).toEqual(stored)
  expect(skopeo.mounted()).toBeGreaterThan(0)

  const listed = await skopeo.run('list-tags', '--tls-verify=false', ...auth, one.replace(':latest', ''))
  expect(JSON.parse(listed)).toMatchObject({ Tags: ['latest'] })
  await skopeo.run('delete', '--tls-verify=false', ...auth, two)
  expect(await skopeo.stored('conformance/skopeo-two', 'other')).toBeUndefined()
})
