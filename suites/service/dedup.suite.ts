import { describe } from 'vitest'
import type { Content } from '../../fixtures/content.ts'
import type { Source } from '../../fixtures/seed.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { describeAlone } from '../../harness/test.ts'
import { closeUpload, pushBlob, startUpload } from '../push.ts'
import { expectBlob, expectNoBlob } from '../readback.ts'
import { ociDistribution, theService } from '../specifications.ts'
import { type StorageNode, test } from './storage-node.ts'

/** So large that a copy of it stands out from what others store meanwhile. */
const layerSize = 8 << 20
const mostTries = 5
/** Runs of one seed, one after the other, each leave a layer until the registry forgets it. */
const mostLayers = 30

/** The first layer that the node does not hold: a registry may keep for a while what was deleted from it. */
async function unheld(content: Source, storage: StorageNode): Promise<Content> {
  for (let i = 0; i < mostLayers; i += 1) {
    const layer = content.bytes(layerSize)
    if (!(await storage.has(await storage.cidOf(layer)))) return layer
  }
  return content.bytes(layerSize)
}

describeAlone('Storage that content shares', () => {
  test(
    'service.dedup.same-cid',
    must(
      'Content that is pushed to a second repository is not stored a second time',
      theService('Deployment', '#deployment'),
      { needs: ['registry', 'push', 'storage'], on: 'stack' },
    ),
    async ({ client, registry, repository, content, storage, skip }) => {
      const layer = await unheld(content, storage)
      const growthOf = async (name: string): Promise<number> => {
        const before = await storage.size()
        await pushBlob(client, name, layer)
        return (await storage.size()) - before
      }
      const first = await growthOf(repository)
      skip(first < layerSize * 0.9, 'the storage node did not grow by what was pushed')
      // Who else uses the node may push at the same time, so growth is proof only where it comes with every repository.
      let least = Number.POSITIVE_INFINITY
      for (let i = 0; i < mostTries && least > layerSize / 10; i += 1) {
        least = Math.min(least, await growthOf(registry.repository(`again-${i}`)))
      }
      const expected = `growth of less than a tenth of ${layerSize} bytes for the same layer in another repository`
      expectThat(least <= layerSize / 10, expected, `${least} bytes or more each of ${mostTries} times`)
      await expectBlob(client, registry.repository('again-0'), layer)
    },
  )
})

describe('Deduplication', () => {
  test(
    'service.dedup.no-leak',
    must(
      'That content is stored already opens nothing: without rights where it was pushed it can be neither read nor mounted nor claimed without its bytes',
      ociDistribution('Pulling blobs', '#pulling-blobs'),
      { needs: ['push', 'auth', 'credentials'], since: '1.1' },
    ),
    async ({ run, client, registry, repository, content, skip }) => {
      const source = registry.repository('source')
      const blob: Content = await pushBlob(client, source, content.bytes(2000))
      const other = registry.as(run.capabilities.special?.offered ? 'special' : 'owner')
      const options = { scopes: [`repository:${repository}:pull,push`] }
      await pushBlob(other, repository, content.bytes(100))
      await expectNoBlob(other, repository, blob.digest)

      const claimed = await closeUpload(other, await startUpload(other, repository), blob.digest)
      expectThat(claimed.status !== 201, 'no 201 to a PUT without the bytes', '201')
      const read = await other.get(`/v2/${source}/blobs/${blob.digest}`, options)
      skip(read.status < 400, 'a token for one repository pulls from another')
      for (const from of [`&from=${encodeURIComponent(source)}`, '']) {
        const path = `/v2/${repository}/blobs/uploads/?mount=${blob.digest}${from}`
        expectStatus(await other.post(path, options), 202, 401, 403, 404)
      }
      await expectNoBlob(other, repository, blob.digest)
      await pushBlob(other, repository, blob)
      await expectBlob(other, repository, blob)
    },
  )
})
