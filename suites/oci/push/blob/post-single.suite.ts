import { describe } from 'vitest'
import type { Content } from '../../../../fixtures/content.ts'
import { expectContent, expectRefusal, expectStatus } from '../../../../harness/finding.ts'
import type { RegistryClient } from '../../../../harness/registry-client.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { closeUpload, locationOf, need, octets, pushBlob, withDigest } from '../../../push.ts'
import { expectBlob, expectNoBlob } from '../../../readback.ts'
import { test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { expectRefusedOrKnown } from '../known-content.ts'
import { expectLocation } from '../named-location.ts'

const singlePost = ociDistribution('Single POST', '#single-post')

const post = (client: RegistryClient, repository: string, content: Content, digest = content.digest) =>
  client.post(withDigest(`/v2/${repository}/blobs/uploads/`, digest), { headers: octets, body: content })

describe('Pushing a blob by a single POST', () => {
  test(
    'oci.push.blob.post-single.201-or-202',
    should('A POST with a digest and the blob answers 201, or 202 with a Location', singlePost, {
      needs: ['push'],
    }),
    async ({ client, repository, content }) => {
      const answer = await post(client, repository, content.bytes(2000))
      expectStatus(answer, 201, 202)
      expectLocation(answer)
    },
  )

  test(
    'oci.push.blob.post-single.location',
    must('The blob can be pulled from the Location of that 201', singlePost, {
      needs: ['push', 'single-post'],
    }),
    async ({ client, repository, content }) => {
      const blob = content.bytes(2000)
      const created = need('a single POST', await post(client, repository, blob), 201)
      expectLocation(created)
      const pulled = await client.get(locationOf(created), { fresh: true })
      expectContent(pulled, blob.bytes)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.blob.post-single.202-usable',
    should('Where a single POST is not supported, its 202 opens a session that works', singlePost, {
      needs: ['push'],
    }),
    async ({ client, repository, content, skip }) => {
      const blob = content.bytes(2000)
      const answer = await post(client, repository, blob)
      skip(answer.status === 201, 'single POSTs are supported')
      const location = locationOf(need('a single POST', answer, 202))
      expectStatus(await closeUpload(client, location, blob.digest, blob), 201)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.blob.post-single.mismatch',
    must('A single POST whose body has another digest is refused and stores nothing', singlePost, {
      needs: ['push', 'single-post'],
    }),
    async ({ client, repository, content }) => {
      const known = await pushBlob(client, repository, content.bytes(500))
      const [blob, other] = [content.bytes(2000), content.bytes(2000)]
      expectRefusal(await post(client, repository, blob, other.digest))
      await expectRefusedOrKnown(post(client, repository, blob, known.digest))
      await expectNoBlob(client, repository, other.digest)
      await expectNoBlob(client, repository, blob.digest)
      await expectBlob(client, repository, known)
    },
  )
})
