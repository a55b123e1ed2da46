import { describe } from 'vitest'
import type { Answer } from '../../../harness/answer.ts'
import { expectStatus } from '../../../harness/finding.ts'
import { must } from '../../../harness/requirement.ts'
import { closeUpload, locationOf, need, pushBlob, startUpload } from '../../push.ts'
import { expectBlob, expectNoBlob } from '../../readback.ts'
import { type Registry, test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'

const deleting = ociDistribution('Deleting Blobs', '#deleting-blobs')
const pulling = ociDistribution('Pulling blobs', '#pulling-blobs')
const needs = ['push', 'delete.blob'] as const

/** A blob that was there, and the answer to its deletion. */
const deletion = (registry: Registry): Promise<{ readonly path: string; readonly answer: Answer }> =>
  registry.once('deleted-blob', async ({ client, repository, content }) => {
    const { digest } = await pushBlob(client, repository, content.bytes(500))
    const path = `/v2/${repository}/blobs/${digest}`
    return { path, answer: await client.delete(path) }
  })

describe('Deleting blobs', () => {
  test(
    'oci.mgmt.blob.delete.202',
    must('Deleting a blob answers 202', deleting, { needs }),
    async ({ registry }) => {
      const { answer } = await deletion(registry)
      expectStatus(answer, 202)
    },
  )

  test(
    'oci.mgmt.blob.delete.disabled',
    must('Where blobs cannot be deleted, DELETE of one answers 400 or 405', deleting, {
      needs: ['push'],
      since: '1.1',
    }),
    async ({ registry }) => {
      const { answer } = await deletion(registry)
      expectStatus(answer, 202, 400, 405)
    },
  )

  test(
    'oci.mgmt.blob.delete.unknown.404',
    must('Deleting a blob that is not there answers 404', deleting, { needs }),
    async ({ client, registry, content }) => {
      const { path, answer } = await deletion(registry)
      need('deleting the blob', answer, 202)
      expectStatus(await client.delete(path), 404)
      expectStatus(await client.delete(path.replace(/[^/]+$/, content.bytes(500).digest)), 404)
    },
  )

  test(
    'oci.mgmt.blob.delete.gone',
    must('A deleted blob answers 404 to GET and HEAD', pulling, { needs }),
    async ({ client, repository, content }) => {
      const blob = await pushBlob(client, repository, content.bytes(500))
      const kept = await pushBlob(client, repository, content.bytes(500))
      need('deleting the blob', await client.delete(`/v2/${repository}/blobs/${blob.digest}`), 202)
      await expectNoBlob(client, repository, blob.digest)
      await expectBlob(client, repository, kept)
    },
  )

  test(
    'oci.mgmt.blob.delete.other-repo-stays',
    must('A blob that is deleted from one repository stays in the others', pulling, { needs }),
    async ({ client, registry, repository, content }) => {
      const blob = content.bytes(1000)
      const [other, mounted] = [registry.repository('other'), registry.repository('mounted')]
      for (const each of [repository, other]) await pushBlob(client, each, blob)
      const mount = `/v2/${mounted}/blobs/uploads/?mount=${blob.digest}&from=${encodeURIComponent(repository)}`
      const answer = need('a mount', await client.post(mount), 201, 202)
      if (answer.status === 202) {
        need('the upload', await closeUpload(client, locationOf(answer), blob.digest, blob), 201)
      }
      need('deleting the blob', await client.delete(`/v2/${repository}/blobs/${blob.digest}`), 202)
      await expectBlob(client, other, blob)
      await expectBlob(client, mounted, blob)
    },
  )

  test(
    'oci.mgmt.blob.delete.repush',
    must(
      'A deleted blob can be uploaded again and pulled',
      ociDistribution('POST then PUT', '#post-then-put'),
      {
        needs,
      },
    ),
    async ({ client, repository, content }) => {
      const blob = await pushBlob(client, repository, content.bytes(500))
      need('deleting the blob', await client.delete(`/v2/${repository}/blobs/${blob.digest}`), 202)
      const location = await startUpload(client, repository)
      expectStatus(await closeUpload(client, location, blob.digest, blob), 201)
      await expectBlob(client, repository, blob)
    },
  )
})
