import { describe } from 'vitest'
import { expectRefusal, expectStatus } from '../../../../harness/finding.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { need } from '../../../push.ts'
import { expectBlob, readBlob } from '../../../readback.ts'
import { test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { expectRefusedOrKnown } from '../known-content.ts'
import { mismatchByPost } from '../mismatches.ts'
import { expectLocation } from '../named-location.ts'
import { expectServed } from '../served-at.ts'
import { singlePostOnce } from '../single-post.ts'

const singlePost = ociDistribution('Single POST', '#single-post')

describe('Pushing a blob by a single POST', () => {
  test(
    'oci.push.blob.post-single.201-or-202',
    should('A POST with a digest and the blob answers 201, or 202 with a Location', singlePost, {
      needs: ['push'],
    }),
    async ({ registry }) => {
      const { answer } = await singlePostOnce(registry)
      expectStatus(answer, 201, 202)
      expectLocation(answer)
    },
  )

  test(
    'oci.push.blob.post-single.location',
    must('The blob can be pulled from the Location of that 201', singlePost, {
      needs: ['push', 'single-post'],
    }),
    async ({ client, registry }) => {
      const { repository, blob, answer } = await singlePostOnce(registry)
      const created = need('a single POST', answer, 201)
      expectLocation(created)
      await expectServed(client, created, repository, blob)
    },
  )

  test(
    'oci.push.blob.post-single.202-usable',
    should('Where a single POST is not supported, its 202 opens a session that works', singlePost, {
      needs: ['push'],
    }),
    async ({ client, registry, skip }) => {
      const { repository, blob, answer, closed } = await singlePostOnce(registry)
      skip(answer.status === 201, 'single POSTs are supported')
      expectStatus(closed(), 201)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.blob.post-single.mismatch',
    must('A single POST whose body has another digest is refused and stores nothing', singlePost, {
      needs: ['push', 'single-post'],
    }),
    async ({ client, registry }) => {
      const { repository, known, sent, named, answer, occupied } = await mismatchByPost(registry)
      expectRefusal(answer)
      expectRefusedOrKnown(occupied)
      for (const digest of [named, sent.digest]) {
        expectStatus(await readBlob(client, repository, digest), 404)
      }
      await expectBlob(client, repository, known)
    },
  )
})
