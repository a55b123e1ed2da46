import { describe } from 'vitest'
import { expectBytes, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { pushImage } from '../push.ts'
import { expectBlob, listedTags, readBlob, readManifest } from '../readback.ts'
import { theService } from '../specifications.ts'
import { expectSameAnswers, instancesOf } from './instance.ts'
import { test } from './storage-node.ts'

describe('Pulling', () => {
  test(
    'service.pull.instances-consistent',
    must('All instances give the same answers', theService('Deployment', '#deployment'), {
      needs: ['registry', 'push', 'instances'],
      on: 'stack',
    }),
    async ({ client, registry, repository, content }) => {
      const { config, manifest } = await pushImage(client, repository, content, 'same')
      const headers = { accept: manifest.mediaType }
      const asked = [
        ['GET', `manifests/same`, 200],
        ['HEAD', `manifests/${manifest.digest}`, 200],
        ['GET', `blobs/${config.digest}`, 200],
        ['GET', 'tags/list', 200],
        ['GET', 'manifests/absent', 404],
      ] as const
      for (const [method, path, status] of asked) {
        const answers = await Promise.all(
          [...instancesOf(registry), ...instancesOf(registry)].map((instance) =>
            instance.request(method, `/v2/${repository}/${path}`, { headers, fresh: true }),
          ),
        )
        for (const answer of answers) expectStatus(answer, status)
        expectSameAnswers(answers)
      }
    },
  )

  test(
    'service.pull.manifest-without-storage',
    should(
      'Manifests and tags are served while the storage node fails, and blobs are a 5xx until it works again',
      theService('Push and pull', '#push-and-pull'),
      { needs: ['registry', 'push', 'storage', 'storage.control'], on: 'stack' },
    ),
    async ({ client, repository, content, storage, skip }) => {
      const { config, manifest } = await pushImage(client, repository, content, 'kept')
      const cid = await storage.cidOf(config)
      skip(
        !(await storage.keeps(cid)),
        'the registry keeps content under other CIDs than those of default options',
      )
      const pull = async () => ({
        manifest: await readManifest(client, repository, 'kept', manifest.mediaType),
        tags: await listedTags(client, repository),
        blob: await readBlob(client, repository, config.digest),
      })
      // Also where the registry keeps the manifest in the storage node.
      const inner = async () => storage.faulty('storage.cat.hangs-up', await storage.cidOf(manifest), pull)
      const { result: seen } = (await storage.faulty('storage.cat.fails', cid, inner)).result
      expectStatus(seen.manifest, 200)
      expectBytes(seen.manifest, manifest.bytes)
      expectThat(seen.tags.join() === 'kept', 'the tag kept', seen.tags.join() || 'none')
      expectThat(seen.blob.status >= 500, '5xx on GET of a blob', String(seen.blob.status))
      await expectBlob(client, repository, config)
    },
  )
})
