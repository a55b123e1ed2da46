import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { image } from '../../../fixtures/image.ts'
import { layer } from '../../../fixtures/layer.ts'
import { oneFile } from '../../../fixtures/layer-entries.ts'
import { createSource } from '../../../fixtures/seed.ts'

/** Writes an image of three layers as an OCI layout with the tag `latest`, and resolves to its digest. */
export async function writeLayout(path: string, seed: string): Promise<string> {
  const source = createSource(seed)
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
  return digest
}

/** Every blob of a layout, by name. */
export async function contents(path: string): Promise<Readonly<Record<string, string>>> {
  const blobs = join(path, 'blobs', 'sha256')
  const files = (await readdir(blobs)).sort()
  const read = await Promise.all(files.map((file) => readFile(join(blobs, file), 'base64')))
  return Object.fromEntries(files.map((file, i) => [file, read[i] ?? '']))
}
