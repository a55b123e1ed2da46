import { describe } from 'vitest'
import { expectThat } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { closeUpload, pushBlob, pushImage, startUpload } from '../push.ts'
import { expectBlob, expectManifest, readBlob } from '../readback.ts'
import { theService } from '../specifications.ts'
import { test } from './storage-node.ts'

const pushing = theService('Push and pull', '#push-and-pull')

describe('Pushing into the storage node', () => {
  test(
    'service.push.commit-after-pin',
    must('A blob is acknowledged, and recorded, only once its content is pinned', pushing, {
      needs: ['registry', 'push', 'storage', 'storage.control'],
      on: 'stack',
    }),
    async ({ client, repository, content, storage, skip }) => {
      const blob = content.bytes(3000)
      const location = await startUpload(client, repository)
      const push = async () => [
        await closeUpload(client, location, blob.digest, blob),
        await readBlob(client, repository, blob.digest),
      ]
      const cid = await storage.cidOf(blob)
      const { result, hits } = await storage.faulty('storage.pin.add.fails', cid, push)
      const unpinned = hits === 0 && (await storage.has(cid)) && !(await storage.keeps(cid))
      expectThat(!unpinned, 'the content pinned', 'content on the node without a pin')
      skip(hits === 0, 'the registry pins otherwise than by pin/add of the CID of default options')
      for (const { method, status } of result) {
        expectThat(
          status >= 300,
          `no success on ${method} while the content cannot be pinned`,
          String(status),
        )
      }
      await pushBlob(client, repository, blob)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'service.push.manifest-links',
    must('What a stored manifest refers to can be pulled from its repository, byte for byte', pushing, {
      needs: ['push'],
    }),
    async ({ client, repository, content }) => {
      const { config, layers, manifest } = await pushImage(client, repository, content, 'linked')
      await expectManifest(client, repository, manifest, 'linked')
      for (const blob of [config, ...layers]) await expectBlob(client, repository, blob)
    },
  )
})
