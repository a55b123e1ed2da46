import { type Layer, layer } from '../../../fixtures/layer.ts'
import { everyKindOfEntry } from '../../../fixtures/layer-entries.ts'
import type { Source } from '../../../fixtures/seed.ts'
import type { RunContext } from '../../../harness/run-context.ts'

const modestFileSize = (1 << 20) + (1 << 18)

/** A gzipped tarball with every kind of entry; its large file has 32 MiB where the run may move that much, else 1.25 MiB. */
export function realLayer({ targets }: RunContext, source: Source): Promise<Layer> {
  const size = targets.allow?.includes('large') ? {} : { large: modestFileSize }
  return layer(everyKindOfEntry(source, size))
}
