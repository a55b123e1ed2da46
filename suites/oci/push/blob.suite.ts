import { describe } from 'vitest'
import type { Content } from '../../../fixtures/content.ts'
import { expectRefusal, expectStatus } from '../../../harness/finding.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { eachCase } from '../../each-case.ts'
import { closeUpload, locationOf, need, pushBlob, withParameter } from '../../push.ts'
import { expectBlob, readBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'
import { chunkThenPut, singlePost } from './forms.ts'
import { expectRefusedOrKnown } from './known-content.ts'
import { mismatchByPost, mismatchByPut, mismatches } from './mismatches.ts'
import { expectDigestOf } from './named-digest.ts'
import { triedUploads } from './tried-upload.ts'
import { pushedBlob } from './whole-upload.ts'

const pushing = ociDistribution('Pushing blobs', '#pushing-blobs')
const inOnePost = ociDistribution('Single POST', '#single-post')
const needs = ['push'] as const

describe('Digests of pushed blobs', () => {
  test(
    'oci.push.blob.digest-invalid.400',
    should('A digest that breaks the grammar is refused with 400, whatever the way to push', pushing, {
      needs,
    }),
    async ({ client, repository, content }) => {
      const blob = await pushBlob(client, repository, content.bytes(1000))
      const capitals = blob.digest.toUpperCase()
      const put = putsOf(client, repository, blob)
      const pushes = [
        ...['sha256:xyz', 'abc', blob.digest.slice(0, -1), capitals].map((digest) => () => put(digest)),
        () => singlePost(client, repository, blob, 'sha256:xyz'),
        () => singlePost(client, repository, blob, capitals),
        () => chunkThenPut(client, repository, blob, 'sha256:xyz'),
      ]
      for (const push of pushes) expectStatus(await push(), 400)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.blob.digest-algorithm-unsupported.400',
    should('A digest of an algorithm that the registry does not have is refused with 400', pushing, {
      needs,
    }),
    async ({ client, registry, repository, content }) => {
      await pushedBlob(registry)
      const blob = content.bytes(1000)
      const md5 = `md5:${'0'.repeat(32)}`
      const put = putsOf(client, repository, blob)
      const pushes = [
        () => put(md5),
        () => put('foo%2Bbar:abc'),
        () => singlePost(client, repository, blob, md5),
      ]
      for (const push of pushes) expectStatus(await push(), 400)
    },
  )

  test(
    'oci.push.blob.digest-mismatch.rejected',
    must(
      'Content that has another digest than the client names is refused, whatever the way to push',
      inOnePost,
      {
        needs,
      },
    ),
    async ({ client, registry }) => {
      await eachCase(mismatches, async (push) => expectRefusal((await push(registry)).answer))
      const [put, post] = [await mismatchByPut(registry), await mismatchByPost(registry)]
      expectRefusal(put.large)
      for (const { occupied } of [put, post]) expectRefusedOrKnown(occupied)
      await expectBlob(client, put.repository, put.known)
    },
  )

  test(
    'oci.push.blob.digest-mismatch.400',
    should('The status of that refusal is 400', pushing, { needs }),
    ({ registry }) => eachCase(mismatches, async (push) => expectStatus((await push(registry)).answer, 400)),
  )

  test(
    'oci.push.blob.digest-mismatch.not-stored',
    must('After such a refusal nothing is served under the digest that was named', inOnePost, { needs }),
    ({ client, registry }) =>
      eachCase(mismatches, async (push) => {
        const { repository, named } = await push(registry)
        expectStatus(await readBlob(client, repository, named), 404)
      }),
  )

  test(
    'oci.push.blob.sha512',
    may(
      'A blob can be pushed and pulled under its sha512 digest',
      ociDistribution('Pulling blobs', '#pulling-blobs'),
      {
        needs: ['push', 'sha512'],
      },
    ),
    async ({ client, repository, content }) => {
      const blob = content.bytes(3000)
      const path = withParameter(`/v2/${repository}/blobs/uploads/`, 'digest-algorithm', 'sha512')
      const started = need('starting an upload', await client.post(path), 202)
      expectStatus(await closeUpload(client, locationOf(started), blob.sha512(), blob), 201)
      const pulled = await expectBlob(client, repository, blob, blob.sha512())
      expectDigestOf(blob, pulled.header('docker-content-digest') ?? blob.digest)
    },
  )
})

/** Closes uploads with the blob under digests that are to be refused with 400. */
function putsOf(client: RegistryClient, repository: string, blob: Content) {
  const attempt = triedUploads(client, repository)
  return (digest: string) => attempt((location) => closeUpload(client, location, digest, blob), 400)
}
