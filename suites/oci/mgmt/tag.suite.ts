import { describe } from 'vitest'
import type { Answer } from '../../../harness/answer.ts'
import { expectStatus, expectThat } from '../../../harness/finding.ts'
import { must, should } from '../../../harness/requirement.ts'
import { need, pushArtifact, pushManifest } from '../../push.ts'
import { expectManifest, expectNoManifest, listedTags, readManifest } from '../../readback.ts'
import { type Registry, test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'

const deleting = ociDistribution('Deleting tags', '#deleting-tags')
const needs = ['push', 'delete.tag'] as const

/** The answer to the deletion of a tag that was there, and its repository. */
const deletion = (registry: Registry): Promise<{ readonly repository: string; readonly answer: Answer }> =>
  registry.once('deleted-tag', async ({ client, repository, content }) => {
    await pushArtifact(client, repository, content, 'doomed')
    return { repository, answer: await client.delete(`/v2/${repository}/manifests/doomed`) }
  })

describe('Deleting tags', () => {
  test(
    'oci.mgmt.tag.delete.202',
    must('Deleting a tag answers 202', deleting, { needs }),
    async ({ registry }) => {
      const { answer } = await deletion(registry)
      expectStatus(answer, 202)
    },
  )

  test(
    'oci.mgmt.tag.delete.disabled',
    must('Where tags cannot be deleted, DELETE of one answers 400 or 405', deleting, { needs: ['push'] }),
    async ({ registry }) => {
      const { answer } = await deletion(registry)
      expectStatus(answer, 202, 400, 405)
    },
  )

  test(
    'oci.mgmt.tag.delete.gone',
    must('A deleted tag answers 404 to GET and HEAD and is not listed', deleting, { needs }),
    async ({ client, repository, content }) => {
      const manifest = await pushArtifact(client, repository, content, 'doomed')
      await pushManifest(client, repository, manifest, 'kept')
      need('reading it', await readManifest(client, repository, 'doomed', manifest.mediaType), 200)
      need('deleting the tag', await client.delete(`/v2/${repository}/manifests/doomed`), 202)
      await expectNoManifest(client, repository, 'doomed', manifest.mediaType)
      const tags = await listedTags(client, repository)
      expectThat(!tags.includes('doomed'), 'a list without the deleted tag', tags.join(', '))
    },
  )

  test(
    'oci.mgmt.tag.delete.others-stay',
    must(
      'Deleting a tag leaves the other tags and the manifest itself',
      ociDistribution('Pulling manifests', '#pulling-manifests'),
      { needs },
    ),
    async ({ client, repository, content }) => {
      const manifest = await pushArtifact(client, repository, content, 'doomed')
      await pushManifest(client, repository, manifest, 'kept')
      need('deleting the tag', await client.delete(`/v2/${repository}/manifests/doomed`), 202)
      await expectManifest(client, repository, manifest, 'kept')
      await expectManifest(client, repository, manifest)
    },
  )

  test(
    'oci.mgmt.tag.delete.unknown.404',
    should('Deleting a tag that is not there answers 404', ociDistribution('Endpoints', '#endpoints'), {
      needs,
    }),
    async ({ client, registry, content }) => {
      const { repository } = await deletion(registry)
      expectStatus(await client.delete(`/v2/${repository}/manifests/${content.name('unknown')}`), 404)
    },
  )
})
