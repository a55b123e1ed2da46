import { describe } from 'vitest'
import { imageManifest } from '../../../fixtures/manifest.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectStatus, expectThat } from '../../../harness/finding.ts'
import { must, should } from '../../../harness/requirement.ts'
import { artifact, need, pushArtifact, pushImage, pushManifest, putManifest } from '../../push.ts'
import { expectBlob, expectManifest, expectNoManifest, listedTags } from '../../readback.ts'
import { type Registry, test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'

const deleting = ociDistribution('Deleting Manifests', '#deleting-manifests')
const needs = ['push', 'delete.manifest'] as const

/** A manifest that was there, and the answer to its deletion. */
const deletion = (registry: Registry): Promise<{ readonly path: string; readonly answer: Answer }> =>
  registry.once('deleted-manifest', async ({ client, repository, content }) => {
    const { digest } = await pushArtifact(client, repository, content)
    const path = `/v2/${repository}/manifests/${digest}`
    return { path, answer: await client.delete(path) }
  })

describe('Deleting manifests', () => {
  test(
    'oci.mgmt.manifest.delete.202',
    must('Deleting a manifest by digest answers 202', deleting, { needs }),
    async ({ registry }) => {
      const { answer } = await deletion(registry)
      expectStatus(answer, 202)
    },
  )

  test(
    'oci.mgmt.manifest.delete.disabled',
    must('Where manifests cannot be deleted, DELETE of one answers 400 or 405', deleting, {
      needs: ['push'],
      since: '1.1',
    }),
    async ({ registry }) => {
      const { answer } = await deletion(registry)
      expectStatus(answer, 202, 400, 405)
    },
  )

  test(
    'oci.mgmt.manifest.delete.unknown-repo.404',
    must('Deleting a manifest of a repository that does not exist answers 404', deleting, { needs }),
    async ({ client, registry, repository, content }) => {
      const manifest = await pushArtifact(client, repository, content)
      const unknown = registry.repository('never-used')
      expectStatus(await client.delete(`/v2/${unknown}/manifests/${manifest.digest}`), 404)
      await expectManifest(client, repository, manifest)
    },
  )

  test(
    'oci.mgmt.manifest.delete.unknown.404',
    should('Deleting a manifest that is not there answers 404', ociDistribution('Endpoints', '#endpoints'), {
      needs,
    }),
    async ({ client, registry, content }) => {
      const { path, answer } = await deletion(registry)
      need('deleting the manifest', answer, 202)
      expectStatus(await client.delete(path), 404)
      expectStatus(await client.delete(path.replace(/[^/]+$/, content.bytes(10).digest)), 404)
    },
  )

  test(
    'oci.mgmt.manifest.delete.gone',
    must('A deleted manifest answers 404 by its digest and by every tag that led to it', deleting, {
      needs,
      since: '1.1',
    }),
    async ({ client, repository, content }) => {
      const other = await pushArtifact(client, repository, content, 'kept')
      const manifest = await pushManifest(client, repository, artifact(content), 'one')
      await pushManifest(client, repository, manifest, 'two')
      const path = `/v2/${repository}/manifests/${manifest.digest}`
      need('deleting the manifest', await client.delete(path), 202)
      for (const reference of [manifest.digest, 'one', 'two']) {
        await expectNoManifest(client, repository, reference, manifest.mediaType)
      }
      await expectManifest(client, repository, other, 'kept')
      const left = (await listedTags(client, repository)).filter((tag) => tag !== 'kept')
      expectThat(left.length === 0, 'a list without the tags of the manifest', left.join(', '))
    },
  )

  test(
    'oci.mgmt.manifest.delete.shared-blobs',
    must(
      'Blobs that another manifest refers to stay when a manifest is deleted',
      ociDistribution('Pulling blobs', '#pulling-blobs'),
      { needs },
    ),
    async ({ client, repository, content }) => {
      const { config, layers, manifest } = await pushImage(client, repository, content)
      const annotations = { 'org.example.name': content.name('other') }
      const other = await pushManifest(client, repository, imageManifest({ config, layers, annotations }))
      const path = `/v2/${repository}/manifests/${manifest.digest}`
      need('deleting the manifest', await client.delete(path), 202)
      await expectManifest(client, repository, other)
      for (const blob of [config, ...layers]) await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.mgmt.manifest.delete.repush',
    must(
      'A deleted manifest can be pushed again and pulled',
      ociDistribution('Pushing Manifests', '#pushing-manifests'),
      { needs },
    ),
    async ({ client, repository, content }) => {
      const manifest = await pushArtifact(client, repository, content, 'again')
      const path = `/v2/${repository}/manifests/${manifest.digest}`
      need('deleting the manifest', await client.delete(path), 202)
      expectStatus(await putManifest(client, repository, manifest, 'again'), 201)
      await expectManifest(client, repository, manifest, 'again')
      await expectManifest(client, repository, manifest)
    },
  )
})
