import { describe } from 'vitest'
import { imageIndex } from '../../../fixtures/manifest.ts'
import { manifestTypes } from '../../../fixtures/media-types.ts'
import { expectHeader, expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { memberOf } from '../../json-member.ts'
import { artifact, need, pushArtifact, pushManifest, putManifest } from '../../push.ts'
import { expectManifest } from '../../readback.ts'
import { ociDistribution } from '../../specifications.ts'
import { pushedBothWays } from '../push/manifest/both-ways.ts'
import { test } from './artifacts.ts'
import { annotations, entryOf, kindsOfReferrers } from './referrer-kinds.ts'
import {
  expectReferrers,
  listedReferrers,
  listReferrers,
  pushReferrer,
  pushSubject,
  referred,
  referrersOf,
  referrerTo,
} from './referrer-list.ts'

const listing = ociDistribution('Listing Referrers', '#listing-referrers')
const on = { needs: ['push', 'referrers'], since: '1.1' } as const

describe('Listing referrers', () => {
  test(
    'oci.discovery.referrers.200',
    must('The list of referrers in a repository that is there answers 200', listing, on),
    async ({ client, registry }) => {
      const { repository, subject, referrer } = await referred(registry)
      const answer = await listReferrers(client, repository, subject.digest)
      expectReferrers(referrersOf(answer), [referrer])
    },
  )

  test(
    'oci.discovery.referrers.never-404',
    must(
      'The referrers of a manifest that was never pushed are asked for with 200 as well, not 404',
      listing,
      on,
    ),
    async ({ client, registry, content }) => {
      const { repository } = await referred(registry)
      expectStatus(await listReferrers(client, repository, content.bytes(10).digest), 200)
    },
  )

  test(
    'oci.discovery.referrers.invalid-digest.400',
    must('A digest that breaks the grammar is refused with 400', listing, on),
    async ({ client, registry }) => {
      const { repository, subject } = await referred(registry)
      for (const malformed of ['sha256:xyz', 'latest', subject.digest.slice(0, -1)]) {
        expectStatus(await listReferrers(client, repository, malformed), 400)
      }
    },
  )

  test(
    'oci.discovery.referrers.content-type',
    must('The list has the Content-Type of an image index', listing, on),
    async ({ client, registry, content }) => {
      const { repository, subject } = await referred(registry)
      for (const digest of [subject.digest, content.bytes(10).digest]) {
        const answer = need('the list', await listReferrers(client, repository, digest), 200)
        expectHeader(answer, 'content-type', manifestTypes.ociIndex)
      }
    },
  )

  test(
    'oci.discovery.referrers.index-shape',
    must(
      'The list is an image index: schemaVersion 2, manifests, and no mediaType but that of an index',
      listing,
      on,
    ),
    async ({ client, registry }) => {
      const { repository, subject } = await referred(registry)
      const answer = await listReferrers(client, repository, subject.digest)
      referrersOf(answer)
      const { schemaVersion, mediaType = manifestTypes.ociIndex } = answer.json() as Record<string, unknown>
      expectThat(schemaVersion === 2, '"schemaVersion": 2', JSON.stringify(schemaVersion) ?? 'none')
      expectThat(mediaType === manifestTypes.ociIndex, manifestTypes.ociIndex, JSON.stringify(mediaType))
    },
  )

  test(
    'oci.discovery.referrers.empty',
    must('Where nothing refers to a digest, manifests is []', listing, on),
    async ({ client, registry, content }) => {
      const { repository, manifest } = await pushedBothWays(registry)
      for (const digest of [manifest.digest, content.bytes(10).digest]) {
        const answer = await listReferrers(client, repository, digest)
        expectReferrers(referrersOf(answer), [])
        expectThat(memberOf(answer, 'manifests') !== null, '"manifests": []', 'null')
      }
    },
  )

  test(
    'oci.discovery.referrers.complete',
    must(
      'Every image and index with the subject is listed: pushed by tag or by digest, before the subject or after it',
      ociDistribution('Enabling the Referrers API', '#enabling-the-referrers-api'),
      on,
    ),
    async ({ client, artifacts: repository, content }) => {
      const subject = artifact(content)
      const early = await pushManifest(client, repository, referrerTo(subject, content))
      await pushManifest(client, repository, subject)
      const image = referrerTo(subject, content)
      await pushManifest(client, repository, image, content.name('tagged'))
      const index = await pushManifest(client, repository, imageIndex({ manifests: [image], subject }))
      const listed = await listedReferrers(client, repository, subject.digest)
      expectReferrers(listed, [early, image, index])
    },
  )

  test(
    'oci.discovery.referrers.only-matching',
    must(
      'Nothing else is listed: no other manifest, no referrer of another subject, nothing twice',
      listing,
      on,
    ),
    async ({ client, artifacts: repository, content }) => {
      const subject = await pushSubject(client, repository, content)
      const mine = await pushManifest(client, repository, referrerTo(subject, content))
      await pushManifest(client, repository, mine, content.name('again'))
      const ofMine = await pushManifest(client, repository, referrerTo(mine, content))
      for (const [{ digest }, only] of [
        [subject, mine],
        [mine, ofMine],
      ] as const) {
        expectReferrers(await listedReferrers(client, repository, digest), [only])
      }
    },
  )

  test(
    'oci.discovery.referrers.same-repo',
    must('Referrers in another repository are not listed', listing, on),
    async ({ client, artifacts: elsewhere, repository, content }) => {
      const subject = await pushArtifact(client, repository, content)
      const referrer = await pushManifest(client, elsewhere, referrerTo(subject, content))
      expectReferrers(await listedReferrers(client, elsewhere, subject.digest), [referrer])
      expectReferrers(await listedReferrers(client, repository, subject.digest), [])
    },
  )

  test(
    'oci.discovery.referrers.descriptor',
    must('The mediaType, digest and size of an entry are those of the manifest that refers', listing, on),
    async ({ registry }) => {
      const listed = await kindsOfReferrers(registry)
      for (const { referrer, entry } of [listed('image'), listed('index')]) {
        const { mediaType, size } = entry ?? {}
        const told = JSON.stringify(mediaType) ?? 'no such entry, or none with a mediaType'
        expectThat(mediaType === referrer.mediaType, referrer.mediaType, told)
        expectThat(size === referrer.size, `"size": ${referrer.size}`, JSON.stringify(size) ?? 'no size')
      }
    },
  )

  test(
    'oci.discovery.referrers.annotations',
    must('The annotations of an image or index are in its entry', listing, on),
    async ({ registry }) => {
      const listed = await kindsOfReferrers(registry)
      for (const entry of [listed('image'), listed('index')].map(entryOf)) {
        for (const [name, value] of Object.entries(annotations)) {
          const seen = entry.annotations?.[name]
          expectThat(seen === value, `${name}: ${JSON.stringify(value)}`, JSON.stringify(seen) ?? 'none')
        }
      }
    },
  )

  test(
    'oci.discovery.referrers.deleted-gone',
    should(
      'A referrer that was deleted is no longer listed',
      ociDistribution('Deleting Manifests', '#deleting-manifests'),
      { needs: ['push', 'referrers', 'delete.manifest'], since: '1.1' },
    ),
    async ({ client, repository, content }) => {
      const { subject, referrer } = await pushReferrer(client, repository, content)
      const kept = await pushManifest(client, repository, referrerTo(subject, content))
      need(
        'deleting the referrer',
        await client.delete(`/v2/${repository}/manifests/${referrer.digest}`),
        202,
      )
      expectReferrers(await listedReferrers(client, repository, subject.digest), [kept])
    },
  )

  test(
    'oci.discovery.referrers.subject-deleted',
    should('The referrers can be listed after their subject was deleted', listing, {
      needs: ['push', 'referrers', 'delete.manifest'],
      since: '1.1',
    }),
    async ({ client, repository, content }) => {
      const { subject } = await pushReferrer(client, repository, content)
      need('deleting the subject', await client.delete(`/v2/${repository}/manifests/${subject.digest}`), 202)
      // Whether the referrers went with their subject is the registry's choice.
      referrersOf(await listReferrers(client, repository, subject.digest))
    },
  )

  test(
    'oci.discovery.referrers.sha512-subject',
    may(
      'A subject that is named by sha512 has its referrers listed under that digest',
      ociDistribution('Referrers Tag Schema', '#referrers-tag-schema'),
      { needs: ['push', 'referrers', 'sha512'], since: '1.1' },
    ),
    async ({ client, artifacts: repository, content, skip }) => {
      const subject = await pushSubject(client, repository, content)
      const named = { mediaType: subject.mediaType, digest: subject.sha512(), size: subject.size }
      const referrer = imageIndex({ manifests: [subject], subject: named })
      const put = await putManifest(client, repository, referrer)
      skip(put.header('oci-subject') !== named.digest, 'no OCI-Subject with the sha512 digest was sent')
      expectReferrers(await listedReferrers(client, repository, named.digest), [referrer])
    },
  )

  test(
    'oci.discovery.referrers.tag-schema.usable',
    should(
      'Without the referrers API a list can be kept under the tag <algorithm>-<hex> of the subject',
      ociDistribution('Referrers Tag Schema', '#referrers-tag-schema'),
      { needs: ['push'], uses: ['referrers'], since: '1.1' },
    ),
    async ({ run, client, artifacts: repository, content, skip }) => {
      skip(run.capabilities.referrers?.offered === true, 'the referrers API is offered')
      const { subject, referrer } = await pushReferrer(client, repository, content)
      const tag = subject.digest.replace(':', '-')
      const list = imageIndex({ manifests: [referrer] })
      await putManifest(client, repository, list, tag)
      await expectManifest(client, repository, list, tag)
    },
  )
})
