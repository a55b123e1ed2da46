import { describe } from 'vitest'
import { descriptor } from '../../../../fixtures/descriptor.ts'
import { imageManifest } from '../../../../fixtures/manifest.ts'
import { manifestTypes } from '../../../../fixtures/media-types.ts'
import { expectHeader, expectNoHeader, expectThat } from '../../../../harness/finding.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { need, putManifest } from '../../../push.ts'
import { ociDistribution } from '../../../specifications.ts'
import { test } from '../../parts.ts'
import { pushedBothWays } from './both-ways.ts'

const subjects = ociDistribution('Pushing Manifests with Subject', '#pushing-manifests-with-subject')

describe('Pushing a manifest with a subject', () => {
  test(
    'oci.push.manifest.subject.oci-subject',
    must(
      'A registry with the referrers API answers the push with OCI-Subject: <digest of the subject>',
      subjects,
      {
        needs: ['push', 'referrers'],
        since: '1.1',
      },
    ),
    async ({ client, parts: { repository, config, layers, whole }, content }) => {
      const absent = { mediaType: manifestTypes.ociManifest, digest: content.bytes(10).digest, size: 10 }
      for (const subject of [descriptor(whole), absent]) {
        const manifest = imageManifest({ config, layers, subject })
        const put = need('pushing', await putManifest(client, repository, manifest), 201)
        expectHeader(put, 'oci-subject', subject.digest)
      }
    },
  )

  test(
    'oci.push.manifest.subject.no-false-claim',
    must('OCI-Subject is only sent for what the referrers API then lists', subjects, {
      needs: ['push'],
      since: '1.1',
    }),
    async ({ client, parts: { repository, config, layers, whole: subject }, content }) => {
      const annotations = { 'org.example.name': content.name('referrer') }
      const manifest = imageManifest({ config, layers, subject, annotations })
      const put = need('pushing', await putManifest(client, repository, manifest), 201)
      const list = await client.get(`/v2/${repository}/referrers/${subject.digest}`, { fresh: true })
      const listed = list.status === 200 && list.text().includes(manifest.digest)
      const claimed = put.header('oci-subject') !== undefined
      const seen = `OCI-Subject, and ${list.status} ${listed ? 'with' : 'without'} the manifest`
      expectThat(listed || !claimed, 'no OCI-Subject, or a list of referrers with the manifest', seen)
    },
  )

  test(
    'oci.push.manifest.subject.none-no-header',
    should('A manifest without a subject is not answered with OCI-Subject', subjects, {
      needs: ['push'],
      since: '1.1',
    }),
    async ({ registry }) => {
      const { byTag, byDigest } = await pushedBothWays(registry)
      for (const put of [byTag, byDigest]) expectNoHeader(need('pushing', put, 201), 'oci-subject')
    },
  )
})
