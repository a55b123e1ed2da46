import { describe } from 'vitest'
import {
  expectBytes,
  expectContent,
  expectRefusal,
  expectStatus,
  expectThat,
} from '../../../harness/finding.ts'
import { must } from '../../../harness/requirement.ts'
import { memberOf } from '../../json-member.ts'
import { need, putManifest } from '../../push.ts'
import { test as base } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'
import { askFor } from '../existing.ts'
import { smallManifests } from './pushing-under.ts'

const pulling = ociDistribution('Pulling manifests', '#pulling-manifests')
const needs = ['push'] as const

/** `small`: what is pushed under the tags. */
const test = base.extend('small', ({ registry }) => smallManifests(registry))

describe('Tags', () => {
  test(
    'oci.base.tag.grammar-accepted',
    must('Every tag of the grammar can be pushed and pulled, up to 128 characters.', pulling, { needs }),
    async ({ client, repository, small }) => {
      const tags = ['_v1.0-RC_2', '0', 'a.', 'a-', `${'x'.repeat(127)}A`]
      for (const tag of tags) expectStatus(await small.push(client, repository, tag, tag), 201)
      for (const tag of tags) {
        const { mediaType, bytes } = small.labelled(tag)
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
    async ({ client, repository, content, small }) => {
      const label = content.name('good')
      const manifest = small.labelled(label)
      need('pushing a manifest', await small.push(client, repository, label, 'good'), 201)
      for (const tag of ['x'.repeat(129), '.x', '-x', 'a%20b', 'a%2Bb', 'caf%C3%A9']) {
        expectRefusal(await putManifest(client, repository, manifest, tag))
      }
      for (const tag of ['x'.repeat(129), 'caf%C3%A9']) {
        expectRefusal(await askFor(client, { repository, mediaType: manifest.mediaType }, tag))
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
    async ({ client, repository, small }) => {
      const tags = ['Rel', 'rel']
      for (const tag of tags) {
        need('pushing a manifest', await small.push(client, repository, tag, tag), 201)
      }
      for (const tag of tags) {
        const { mediaType, bytes } = small.labelled(tag)
        expectBytes(await askFor(client, { repository, mediaType }, tag), bytes)
      }
      expectStatus(await askFor(client, { repository, mediaType: small.labelled('').mediaType }, 'rEl'), 404)
    },
  )
})
