import { describe } from 'vitest'
import { expectHeader, expectStatus } from '../../../../harness/finding.ts'
import { must, should } from '../../../../harness/requirement.ts'
import { digestHeader, expectDigestTold, tellsDigest } from '../../../digest.ts'
import { need } from '../../../push.ts'
import { ociDistribution } from '../../../specifications.ts'
import { askFor, references, test } from '../../existing.ts'

const checking = ociDistribution(
  'Checking if content exists in the registry',
  '#checking-if-content-exists-in-the-registry',
)
const method = 'HEAD'

describe('Checking whether a manifest exists', () => {
  test(
    'oci.pull.manifest.head.by-tag.200',
    must('HEAD of an existing tag answers 200.', checking),
    async ({ client, manifests, skip }) => {
      const tags = manifests.flatMap((one) => (one.tag === undefined ? [] : [{ ...one, tag: one.tag }]))
      skip(tags.length === 0, 'the named content has no tag')
      for (const manifest of tags) expectStatus(await askFor(client, manifest, manifest.tag, { method }), 200)
    },
  )

  test(
    'oci.pull.manifest.head.by-digest.200',
    must('HEAD of an existing digest answers 200.', checking),
    async ({ client, manifests }) => {
      for (const manifest of manifests) {
        expectStatus(await askFor(client, manifest, manifest.digest, { method }), 200)
      }
    },
  )

  test(
    'oci.pull.manifest.head.content-length',
    should('HEAD of a manifest tells its size in Content-Length.', checking, { levels: { dev: 'MUST' } }),
    async ({ client, manifest }) => {
      for (const reference of references(manifest)) {
        const answer = need('HEAD', await askFor(client, manifest, reference, { method }), 200)
        expectHeader(answer, 'content-length')
      }
    },
  )

  test(
    'oci.pull.manifest.head.digest-header',
    should('HEAD of a manifest tells its digest in Docker-Content-Digest.', checking, {
      levels: { dev: 'MUST' },
    }),
    async ({ client, manifests }) => {
      for (const manifest of manifests) {
        for (const reference of references(manifest)) {
          const answer = need('HEAD', await askFor(client, manifest, reference, { method }), 200)
          expectHeader(answer, digestHeader)
        }
      }
    },
  )

  test(
    'oci.pull.manifest.head.digest-header.true',
    must(
      'Docker-Content-Digest of a HEAD, where it is sent, is the digest of the manifest that the reference names: for the tag of an index, that of the index.',
      checking,
    ),
    async ({ client, manifests, skip }) => {
      const asked = manifests.flatMap((manifest) =>
        references(manifest).map(async (reference) => ({
          answer: await askFor(client, manifest, reference, { method }),
          bytes: manifest.bytes,
        })),
      )
      const told = (await Promise.all(asked)).filter(({ answer }) => tellsDigest(answer))
      skip(told.length === 0, 'no answer tells a digest in Docker-Content-Digest')
      for (const { answer, bytes } of told) expectDigestTold(answer, bytes)
    },
  )

  test(
    'oci.pull.manifest.head.unknown.404',
    must('HEAD of a tag or digest that is not there answers 404.', checking),
    async ({ client, manifest, content }) => {
      for (const reference of [content.name('no-such-tag'), content.bytes(32).digest]) {
        expectStatus(await askFor(client, manifest, reference, { method }), 404)
      }
    },
  )
})
