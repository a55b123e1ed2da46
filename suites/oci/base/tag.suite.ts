import { describe } from 'vitest'
import { emptyConfig } from '../../../fixtures/config.ts'
import {
  expectBytes,
  expectContent,
  expectRefusal,
  expectStatus,
  expectThat,
} from '../../../harness/finding.ts'
import { must } from '../../../harness/requirement.ts'
import { memberOf } from '../../json-member.ts'
import { need, pushBlob, pushManifest, putManifest } from '../../push.ts'
import { ociDistribution } from '../../specifications.ts'
import { askFor, test } from '../existing.ts'
import { smallManifest } from './pushing-under.ts'

const pulling = ociDistribution('Pulling manifests', '#pulling-manifests')
const needs = ['push'] as const

describe('Tags', () => {
  test(
    'oci.base.tag.grammar-accepted',
    must('Every tag of the grammar can be pushed and pulled, up to 128 characters.', pulling, { needs }),
    async ({ client, repository }) => {
      await pushBlob(client, repository, emptyConfig)
      const tags = ['_x', '0', 'A.b-C_d', '__', 'a.', 'a-', 'v1.0.0-rc.1_build-7', `${'x'.repeat(127)}A`]
      for (const tag of tags) {
        const manifest = smallManifest(tag)
        expectStatus(await putManifest(client, repository, manifest, tag), 201)
      }
      for (const tag of tags) {
        const { mediaType, bytes } = smallManifest(tag)
        const answer = await askFor(client, { repository, mediaType }, tag)
        expectContent(answer, bytes)
      }
    },
  )

  test(
    'oci.base.tag.invalid-rejected',
    must(
      'A reference that is neither a digest nor a tag of the grammar is refused, and nothing is tagged.',
      pulling,
      {
        needs,
      },
    ),
    async ({ client, repository, content }) => {
      await pushBlob(client, repository, emptyConfig)
      const manifest = await pushManifest(client, repository, smallManifest(content.name('good')), 'good')
      const { mediaType } = manifest
      for (const tag of ['x'.repeat(129), '.x', '-x', 'a%20b', 'a%2Bb', 'a%40b', 'caf%C3%A9']) {
        expectRefusal(await putManifest(client, repository, manifest, tag))
        expectRefusal(await askFor(client, { repository, mediaType }, tag))
      }
      const listing = need(
        'listing tags',
        await client.get(`/v2/${repository}/tags/list`, { fresh: true }),
        200,
      )
      const tags = memberOf(listing, 'tags')
      expectThat(
        JSON.stringify(tags) === '["good"]',
        'only the tag that was pushed before',
        JSON.stringify(tags) ?? 'no member tags',
      )
    },
  )

  test(
    'oci.base.tag.case-sensitive',
    must('Tags that differ only in case are different tags.', pulling, { needs }),
    async ({ client, repository }) => {
      await pushBlob(client, repository, emptyConfig)
      const tags = ['Rel', 'rel', 'REL']
      for (const tag of tags) await pushManifest(client, repository, smallManifest(tag), tag)
      for (const tag of tags) {
        const { mediaType, bytes } = smallManifest(tag)
        expectBytes(await askFor(client, { repository, mediaType }, tag), bytes)
      }
      expectStatus(await askFor(client, { repository, mediaType: smallManifest('').mediaType }, 'rEl'), 404)
    },
  )
})
