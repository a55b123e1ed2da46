import { describe } from 'vitest'
import { expectBytes, expectHeader, expectStatus } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { pushBlob } from '../push.ts'
import { test } from '../registry.ts'
import { ociDistribution } from '../specifications.ts'

describe('Pulling blobs', () => {
  test(
    'oci.pull.blob.get.200',
    must('GET of an existing blob answers 200', ociDistribution('Pulling blobs', '#pulling-blobs')),
    async ({ client, repository, content }) => {
      const blob = await pushBlob(client, repository, content.bytes(2048))
      expectStatus(await client.get(`/v2/${repository}/blobs/${blob.digest}`), 200)
    },
  )

  test(
    'oci.pull.blob.get.bytes-exact',
    must('The blob bytes served are the bytes pushed', ociDistribution('Pulling blobs', '#pulling-blobs')),
    async ({ client, repository, content }) => {
      const blob = await pushBlob(client, repository, content.bytes(100_000))
      const answer = await client.get(`/v2/${repository}/blobs/${blob.digest}`, { fresh: true })
      expectStatus(answer, 200)
      expectBytes(answer, blob.bytes)
      expectHeader(answer, 'x-nonsense', 'yes')
    },
  )

  test(
    'oci.pull.blob.get.unknown.404',
    must('An unknown blob answers 404', ociDistribution('Pulling blobs', '#pulling-blobs')),
    async ({ client, repository, content }) => {
      expectStatus(await client.get(`/v2/${repository}/blobs/${content.bytes(10).digest}`), 404)
    },
  )
})
