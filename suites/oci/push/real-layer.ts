import { expect } from 'vitest'
import { type Layer, layer } from '../../../fixtures/layer.ts'
import { everyKindOfEntry } from '../../../fixtures/layer-entries.ts'
import type { Source } from '../../../fixtures/seed.ts'
import { unpack } from '../../../fixtures/unpack.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import type { RunContext } from '../../../harness/run-context.ts'
import { expectBlob } from '../../readback.ts'

const modestFileSize = 2 << 20

/** A gzipped tarball with every kind of entry; its large file has 32 MiB where the run may move that much, else 2 MiB. */
export function realLayer({ targets }: RunContext, source: Source): Promise<Layer> {
  const size = targets.allow?.includes('large') ? {} : { large: modestFileSize }
  return layer(everyKindOfEntry(source, size))
}

/** The repository serves the layer, and it unpacks to the entries that were packed. */
export async function expectLayer(client: RegistryClient, repository: string, pushed: Layer): Promise<void> {
  const { body } = await expectBlob(client, repository, pushed)
  expect(await unpack(body, pushed.mediaType)).toEqual(pushed.entries)
}
