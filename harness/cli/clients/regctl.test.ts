import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClient } from './client.test-support.ts'
import { contents, writeLayout } from './layout.test-support.ts'

const from = 'go install github.com/regclient/regclient/cmd/regctl@latest'

test('regctl: login, push, pull, mount, list, attach, discover referrers, delete', async (context) => {
  const regctl = await openClient(context, 'regctl', { version: 'version', from })
  const { host, username, password, folder } = regctl
  const digest = await writeLayout(join(folder, 'in'), 'regctl')
  const one = `${host}/conformance/regctl`
  const two = `${host}/conformance/regctl-two`

  await regctl.run('registry', 'set', '--tls', 'disabled', '--skip-check', host)
  await regctl.run('registry', 'login', host, '-u', username, '-p', password)
  await regctl.run('image', 'copy', `ocidir://${folder}/in:latest`, `${one}:latest`)
  const stored = await regctl.stored('conformance/regctl', 'latest')
  expect(stored?.[0]).toBe(digest)
  await regctl.run('image', 'copy', `${one}:latest`, `ocidir://${folder}/out:latest`)
  expect(await contents(join(folder, 'out'))).toEqual(await contents(join(folder, 'in')))

  const bill = join(folder, 'bill.json')
  await writeFile(bill, '{"name":"bill of materials"}')
  const kind = ['--artifact-type', 'application/vnd.assay.bill', '--file-media-type', 'application/json']
  await regctl.run('artifact', 'put', '--subject', `${one}:latest`, ...kind, '--file', bill)
  const found = await regctl.run('artifact', 'list', '--format', '{{json .Descriptors}}', `${one}:latest`)
  expect(JSON.parse(found)).toMatchObject([{ artifactType: 'application/vnd.assay.bill' }])
  const read = ['artifact', 'get', '--subject', `${one}:latest`, '--filter-artifact-type']
  expect(await regctl.run(...read, 'application/vnd.assay.bill')).toBe('{"name":"bill of materials"}')

  await regctl.run('image', 'copy', '--referrers', `${one}:latest`, `${two}:other`)
  expect(await regctl.stored('conformance/regctl-two', 'other')).toEqual(stored)
  expect(regctl.mounted()).toBeGreaterThan(0)
  expect(await regctl.run('artifact', 'list', '--format', '{{json .Descriptors}}', `${two}:other`)).toBe(
    found,
  )

  expect(await regctl.run('tag', 'ls', two)).toBe('other\n')
  expect((await regctl.run('repo', 'ls', host)).split('\n')).toContain('conformance/regctl-two')
  await regctl.run('tag', 'delete', `${two}:other`)
  expect(await regctl.stored('conformance/regctl-two', 'other')).toBeUndefined()
  expect(await regctl.stored('conformance/regctl-two', digest)).toEqual(stored)
  await regctl.run('manifest', 'delete', `${two}@${digest}`)
  expect(await regctl.stored('conformance/regctl-two', digest)).toBeUndefined()
})
