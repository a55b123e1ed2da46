import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { image } from '../../fixtures/image.ts'
import { layer } from '../../fixtures/layer.ts'
import { oneFile } from '../../fixtures/layer-entries.ts'
import { createSource } from '../../fixtures/seed.ts'
import { startStack } from '../../mocks/stack.ts'
import { needsProgram, run } from './program.test-support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-skopeo-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes an image of three layers as an OCI layout. */
async function writeLayout(path: string): Promise<void> {
  const source = createSource('skopeo')
  const three = ['base', 'tools', 'app'].map((name) => layer(oneFile(source.fork(name))))
  const { config, layers, manifest } = await image(source, { layers: await Promise.all(three) })
  const blobs = join(path, 'blobs', 'sha256')
  await mkdir(blobs, { recursive: true })
  for (const content of [config, ...layers, manifest]) {
    await writeFile(join(blobs, content.digest.slice('sha256:'.length)), content.bytes)
  }
  const { mediaType, digest, size } = manifest
  const annotations = { 'org.opencontainers.image.ref.name': 'latest' }
  const index = { schemaVersion: 2, manifests: [{ mediaType, digest, size, annotations }] }
  await writeFile(join(path, 'index.json'), JSON.stringify(index))
  await writeFile(join(path, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
}

async function contents(path: string): Promise<Readonly<Record<string, string>>> {
  const blobs = join(path, 'blobs', 'sha256')
  const files = (await readdir(blobs)).sort()
  const read = await Promise.all(files.map((file) => readFile(join(blobs, file), 'base64')))
  return Object.fromEntries(files.map((file, i) => [file, read[i] ?? '']))
}

test('skopeo logs in, copies an image of several layers in and out, and nothing has changed', async (context) => {
  needsProgram(context, 'skopeo')
  const stack = await startStack({ services: ['registry'] })
  try {
    const { url = '', accounts } = stack.targets.registry ?? {}
    const host = new URL(url).host
    const { username = '', password = '' } = accounts?.owner ?? {}
    const authfile = join(folder, 'auth.json')
    await writeLayout(join(folder, 'in'))
    const login = [
      'login',
      '--tls-verify=false',
      '--authfile',
      authfile,
      '-u',
      username,
      '-p',
      password,
      host,
    ]
    await run('skopeo', login)
    const copy = ['copy', '--preserve-digests', '--insecure-policy', '--authfile', authfile]
    const reference = `docker://${host}/conformance/skopeo:latest`
    await run('skopeo', [...copy, '--dest-tls-verify=false', `oci:${folder}/in:latest`, reference])
    await run('skopeo', [...copy, '--src-tls-verify=false', reference, `oci:${folder}/out:latest`])
    expect(await contents(join(folder, 'out'))).toEqual(await contents(join(folder, 'in')))
  } finally {
    await stack.close()
  }
})
