import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClient } from './client.test-support.ts'
import { contents, writeLayout } from './layout.test-support.ts'

test('oras: login, push, pull, mount, list, attach, discover referrers, delete', async (context) => {
  const oras = await openClient(context, 'oras', { version: 'version', from: 'https://oras.land' })
  const { host, username, password, folder } = oras
  const digest = await writeLayout(join(folder, 'in'), 'oras')
  const one = `${host}/conformance/oras`
  const two = `${host}/conformance/oras-two`
  const plain = '--plain-http'

  await oras.run('login', plain, host, '-u', username, '-p', password)
  await oras.run('cp', '--from-oci-layout', `${folder}/in:latest`, '--to-plain-http', `${one}:latest`)
  const stored = await oras.stored('conformance/oras', 'latest')
  expect(stored?.[0]).toBe(digest)
  await oras.run('cp', '--from-plain-http', `${one}:latest`, '--to-oci-layout', `${folder}/out:latest`)
  expect(await contents(join(folder, 'out'))).toEqual(await contents(join(folder, 'in')))

  const bill = join(folder, 'bill.json')
  await writeFile(bill, '{"name":"bill of materials"}')
  const attach = [
    'attach',
    plain,
    '--disable-path-validation',
    '--artifact-type',
    'application/vnd.assay.bill',
  ]
  await oras.run(...attach, `${one}:latest`, `${bill}:application/json`)
  const found = JSON.parse(await oras.run('discover', plain, '--format', 'json', `${one}:latest`))
  expect(found).toMatchObject({ referrers: [{ artifactType: 'application/vnd.assay.bill' }] })
  const pull = ['pull', plain, '--allow-path-traversal', '--output', join(folder, 'pulled')]
  await oras.run(...pull, `${one}@${found.referrers[0].digest}`)
  expect(await readFile(bill, 'utf8')).toBe('{"name":"bill of materials"}')

  await oras.run('cp', '--from-plain-http', '--to-plain-http', '--recursive', `${one}:latest`, `${two}:other`)
  expect(await oras.stored('conformance/oras-two', 'other')).toEqual(stored)
  expect(oras.mounted()).toBeGreaterThan(0)

  expect(await oras.run('repo', 'tags', plain, two)).toBe('other\n')
  expect((await oras.run('repo', 'ls', plain, host)).split('\n')).toContain('conformance/oras-two')
  await oras.run('manifest', 'delete', plain, '--force', `${two}:other`)
  expect(await oras.stored('conformance/oras-two', digest)).toBeUndefined()
  await oras.run('blob', 'delete', plain, '--force', `${one}@${stored?.[1]}`)
  await expect(oras.stored('conformance/oras', 'latest')).rejects.toThrow('is not what it says')
})
