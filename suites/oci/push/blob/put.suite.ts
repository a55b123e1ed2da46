import { describe } from 'vitest'
import { expectContent, expectStatus, expectThat } from '../../../../harness/finding.ts'
import { may, must, should } from '../../../../harness/requirement.ts'
import { closeUpload, need, octets, pushBlob, startUpload } from '../../../push.ts'
import { expectBlob, expectNoBlob, readBlob } from '../../../readback.ts'
import { test } from '../../../registry.ts'
import { ociDistribution } from '../../../specifications.ts'
import { cutUpload } from '../cut-upload.ts'
import { emptyBlob } from '../empty-blob.ts'
import { expectDigestOf } from '../named-digest.ts'
import { expectLocation } from '../named-location.ts'
import { realLayer } from '../real-layer.ts'
import { expectAtLocation } from '../served-at.ts'
import { pushedBlob, wholeUpload } from '../whole-upload.ts'

const postThenPut = ociDistribution('POST then PUT', '#post-then-put')
const chunked = ociDistribution('Pushing a blob in chunks', '#pushing-a-blob-in-chunks')
const needs = ['push'] as const

describe('Pushing a blob by POST and PUT', () => {
  test(
    'oci.push.blob.put.201',
    must('A PUT that completes an upload answers 201', postThenPut, { needs }),
    async ({ registry }) => {
      const { blob, closed, read } = await wholeUpload(registry)
      expectStatus(closed(), 201)
      expectContent(read(), blob.bytes)
    },
  )

  test(
    'oci.push.blob.put.location',
    must('That 201 has a Location', postThenPut, { needs }),
    async ({ registry }) => {
      const { closed } = await wholeUpload(registry)
      expectLocation(need('closing the upload', closed(), 201))
    },
  )

  test(
    'oci.push.blob.put.location-pullable',
    must('The blob can be pulled from that Location', postThenPut, { needs }),
    async ({ client, registry }) => {
      const { repository, blob, closed } = await wholeUpload(registry)
      await expectAtLocation(client, need('closing the upload', closed(), 201), repository, blob)
    },
  )

  test(
    'oci.push.blob.put.digest-header',
    may('A Docker-Content-Digest on that 201 is a digest of the blob', postThenPut, { needs }),
    async ({ registry, skip }) => {
      const { blob, closed } = await wholeUpload(registry)
      const named = need('closing the upload', closed(), 201).header('docker-content-digest')
      if (named === undefined) return skip('no Docker-Content-Digest was sent')
      expectDigestOf(blob, named)
    },
  )

  test(
    'oci.push.blob.put.repush',
    should(
      'A blob that the repository has can be uploaded again',
      ociDistribution('Layer Upload De-duplication', '#layer-upload-de-duplication'),
      { needs },
    ),
    async ({ client, repository, content }) => {
      const blob = await pushBlob(client, repository, content.bytes(3000))
      const again = await startUpload(client, repository)
      expectStatus(await closeUpload(client, again, blob.digest, blob), 201)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.blob.put.empty-blob',
    must('A blob of no bytes can be uploaded', postThenPut, { needs }),
    async ({ registry }) => {
      const { bytes, closed, read } = await emptyBlob(registry)
      expectStatus(closed, 201)
      expectContent(read(), bytes)
    },
  )

  test(
    'oci.push.blob.put.large',
    should('A layer of tens of megabytes goes up in one PUT and comes back unchanged', postThenPut, {
      needs: ['push', 'allow.large'],
    }),
    async ({ client, repository, content, run }) => {
      const layer = await realLayer(run, content)
      const location = await startUpload(client, repository)
      expectStatus(await closeUpload(client, location, layer.digest, layer), 201)
      await expectBlob(client, repository, layer)
    },
  )

  test(
    'oci.push.blob.put.short-body',
    must(
      'A body that breaks off before its Content-Length never becomes a blob',
      ociDistribution('Single POST', '#single-post'),
      { needs },
    ),
    async ({ client, repository, content }) => {
      const whole = content.bytes(64_000)
      const half = whole.slice(0, 32_000)
      const digests = [whole.digest, half.digest]
      for (const digest of digests) {
        const location = await startUpload(client, repository)
        await cutUpload(client, location, digest, whole, half.size)
      }
      await pushBlob(client, repository, content.bytes(64_000))
      for (const digest of digests) await expectNoBlob(client, repository, digest)
    },
  )

  test(
    'oci.push.blob.put.digest-missing',
    should('Closing a session without a digest is refused with 400 and stores nothing', chunked, { needs }),
    async ({ client, registry, repository, content }) => {
      await pushedBlob(registry)
      const blob = content.bytes(2000)
      const location = await startUpload(client, repository)
      const closed = await client.put(location, { headers: octets, body: blob })
      const named = `${closed.header('location')} ${closed.header('docker-content-digest')}`
      const took = closed.status === 201 && named.includes(blob.digest)
      expectThat(
        took || closed.status === 400,
        '400, or 201 that names the digest',
        `${closed.status}: ${named}`,
      )
      expectStatus(await readBlob(client, repository, blob.digest), took ? 200 : 404)
    },
  )
})
