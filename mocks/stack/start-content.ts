import type { Clock } from '../clock.ts'
import type { Handler } from '../handler.ts'
import { contentStore } from '../registry/content.ts'
import type { Database } from '../registry/database.ts'
import { blobStore } from '../registry/sql/blobs.ts'
import { manifestStore } from '../registry/sql/manifests.ts'
import { helloImage } from './hello-image.ts'
import type { StartContent } from './targets.ts'

const repository = 'library/hello'
const tag = 'latest'

export interface StartContentOptions {
  readonly database: Database
  readonly storage: Handler
  readonly clock: Clock
}

/** Puts the start content where a push would have put it. May be done again. */
export async function storeStartContent({
  database,
  storage,
  clock,
}: StartContentOptions): Promise<StartContent> {
  const { layer, config, manifest } = helloImage()
  const content = contentStore(storage)
  const blobs = blobStore(database, clock)
  for (const { bytes, digest, size } of [layer, config]) {
    const cid = await content.add(once(bytes))
    let outcome: string
    do {
      await content.pin(cid)
      outcome = await blobs.record(repository, { digest, cid, size })
    } while (outcome === 'unpinned')
  }
  const { digest, mediaType, size, bytes } = manifest
  const manifests = manifestStore(database)
  // What somebody pushed there in an earlier life of the data folder stays.
  const found = await manifests.find(repository, tag)
  if (found) return [{ repository, tag, digest: found.digest }]
  const stored = { digest, contentType: mediaType, size, content: bytes.toString('utf8') }
  const refersTo = { blobs: [layer.digest, config.digest], manifests: [] }
  await manifests.put(repository, { ...stored, ...refersTo }, [tag])
  return [{ repository, tag, digest }]
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
