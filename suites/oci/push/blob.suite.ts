import { describe } from 'vitest'
import { expectRefusal, expectStatus } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { eachCase } from '../../each-case.ts'
import { closeUpload, locationOf, need, pushBlob, withParameter } from '../../push.ts'
import { expectBlob, expectNoBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'
import { pushForms } from './forms.ts'
import { expectRefusedOrKnown } from './known-content.ts'
import { expectDigestOf } from './named-digest.ts'

const pushing = ociDistribution('Pushing blobs', '#pushing-blobs')
const singlePost = ociDistribution('Single POST', '#single-post')
const needs = ['push'] as const

describe('Digests of pushed blobs', () => {
  test(
    'oci.push.blob.digest-invalid.400',
    should('A digest that breaks the grammar is refused with 400, whatever the way to push', pushing, {
      needs,
    }),
    async ({ client, repository, content }) => {
      const blob = await pushBlob(client, repository, content.bytes(1000))
      for (const digest of ['sha256:xyz', 'abc', blob.digest.slice(0, -1), blob.digest.toUpperCase()]) {
        await eachCase(pushForms, async (push) => {
          expectStatus(await push(client, repository, blob, digest), 400)
        })
      }
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.blob.digest-algorithm-unsupported.400',
    should('A digest of an algorithm that the registry does not have is refused with 400', pushing, {
      needs,
    }),
    async ({ client, repository, content }) => {
      const blob = await pushBlob(client, repository, content.bytes(1000))
      for (const digest of [`md5:${'0'.repeat(32)}`, 'foo%2Bbar:abc']) {
        await eachCase(pushForms, async (push) => {
          expectStatus(await push(client, repository, blob, digest), 400)
        })
      }
    },
  )

  test(
    'oci.push.blob.digest-mismatch.rejected',
    must(
      'Content that has another digest than the client names is refused, whatever the way to push',
      singlePost,
      {
        needs,
      },
    ),
    async ({ client, repository, content }) => {
      const known = await pushBlob(client, repository, content.bytes(2000))
      const large = content.bytes((1 << 20) + 1)
      await eachCase(pushForms, async (push) => {
        expectRefusal(await push(client, repository, content.bytes(2000), content.bytes(2000).digest))
        await expectRefusedOrKnown(push(client, repository, content.bytes(2000), known.digest))
        expectRefusal(await push(client, repository, large, content.bytes(10).digest))
      })
      await expectBlob(client, repository, known)
    },
  )

  test(
    'oci.push.blob.digest-mismatch.400',
    should('The status of that refusal is 400', pushing, { needs }),
    async ({ client, repository, content }) => {
      await pushBlob(client, repository, content.bytes(500))
      await eachCase(pushForms, async (push) => {
        expectStatus(await push(client, repository, content.bytes(2000), content.bytes(2000).digest), 400)
      })
    },
  )

  test(
    'oci.push.blob.digest-mismatch.not-stored',
    must('After such a refusal nothing is served under the digest that was named', singlePost, { needs }),
    async ({ client, repository, content }) => {
      await pushBlob(client, repository, content.bytes(500))
      await eachCase(pushForms, async (push) => {
        const { digest } = content.bytes(2000)
        await push(client, repository, content.bytes(2000), digest)
        await expectNoBlob(client, repository, digest)
      })
    },
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
