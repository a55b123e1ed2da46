import { describe } from 'vitest'
import {
  dockerManifest,
  dockerManifestList,
  imageIndex,
  imageManifest,
} from '../../../../fixtures/manifest.ts'
import { allSpellings, spelt } from '../../../../fixtures/odd-manifests.ts'
import {
  expectBytes,
  expectContent,
  expectHeader,
  expectStatus,
  expectThat,
} from '../../../../harness/finding.ts'
import { may, must, should } from '../../../../harness/requirement.ts'
import { digestHeader, expectDigestTold, tellsDigest } from '../../../digest.ts'
import { memberOf } from '../../../json-member.ts'
import { need, pushManifest, putManifest } from '../../../push.ts'
import { ociDistribution } from '../../../specifications.ts'
import { askFor, references, test } from '../../existing.ts'
import { blobPath } from '../../named-content.ts'

const pulling = ociDistribution('Pulling manifests', '#pulling-manifests')
const withoutParameters = (type: string) => type.replace(/;.*/s, '').trim()

describe('Pulling manifests', () => {
  test(
    'oci.pull.manifest.get.by-tag.200',
    must('GET of an existing tag answers 200 with the manifest that the tag points to.', pulling),
    async ({ client, manifest, skip }) => {
      if (manifest.tag === undefined) return skip('the named content has no tag')
      const answer = await askFor(client, manifest, manifest.tag)
      expectContent(answer, manifest.bytes)
    },
  )

  test(
    'oci.pull.manifest.get.by-digest.200',
    must('GET of an existing digest answers 200 with exactly the manifest of that digest.', pulling),
    async ({ client, manifests }) => {
      for (const manifest of manifests) {
        const answer = await askFor(client, manifest, manifest.digest)
        expectContent(answer, manifest.bytes)
      }
    },
  )

  test(
    'oci.pull.manifest.get.bytes-exact',
    must(
      'A manifest comes back in the very bytes in which it was pushed: white space, order of members, escapes and unknown members survive.',
      ociDistribution('Pushing Manifests', '#pushing-manifests'),
      { needs: ['push'], since: '1.1' },
    ),
    async ({ client, image: { repository, manifest }, content }) => {
      for (const [index, spellings] of allSpellings.entries()) {
        const odd = spelt(manifest, ...spellings)
        const reference = index % 2 === 0 ? content.name('spelling') : odd.digest
        await pushManifest(client, repository, odd, reference)
        const answer = await askFor(client, { repository, mediaType: odd.mediaType }, reference)
        expectContent(answer, odd.bytes)
      }
    },
  )

  test(
    'oci.pull.manifest.get.digest-header.present',
    should('A successful GET of a manifest tells its digest in Docker-Content-Digest.', pulling, {
      levels: { dev: 'MUST' },
    }),
    async ({ client, manifest }) => {
      for (const reference of references(manifest)) {
        const answer = need('pulling', await askFor(client, manifest, reference), 200)
        expectHeader(answer, digestHeader)
      }
    },
  )

  test(
    'oci.pull.manifest.get.digest-header.true',
    must(
      'Docker-Content-Digest, where it is sent, is the digest of the returned manifest under the algorithm that it names.',
      pulling,
    ),
    async ({ client, manifests, skip }) => {
      const asked = manifests.flatMap((manifest) =>
        references(manifest).map((reference) => askFor(client, manifest, reference)),
      )
      const told = (await Promise.all(asked)).filter(tellsDigest)
      skip(told.length === 0, 'no answer tells a digest in Docker-Content-Digest')
      for (const answer of told) expectDigestTold(answer, answer.body)
    },
  )

  test(
    'oci.pull.manifest.get.content-type.present',
    should('A successful GET of a manifest tells the media type of the manifest in Content-Type.', pulling),
    async ({ client, manifest }) => {
      for (const reference of references(manifest)) {
        const answer = need('pulling', await askFor(client, manifest, reference), 200)
        expectHeader(answer, 'content-type', /^application\/vnd\.[^;\s]+\+(json|prettyjws)\s*(;|$)/i)
      }
    },
  )

  test(
    'oci.pull.manifest.get.content-type.as-pushed',
    should('Content-Type of a pulled manifest is the Content-Type under which it was pushed.', pulling, {
      needs: ['push'],
    }),
    async ({ client, parts: { repository, config, layers, whole } }) => {
      const unmarked = { members: { mediaType: undefined } }
      const docker = dockerManifest({ config, layers })
      const offered = [
        imageManifest({ config, layers, ...unmarked }),
        imageIndex({ manifests: [whole] }),
        imageIndex({ manifests: [whole], ...unmarked }),
        docker,
        dockerManifestList({ manifests: [docker] }),
      ]
      const stored = [whole]
      for (const one of offered) {
        // A registry may leave out what is not OCI; what it takes it owes under the same type.
        if ((await putManifest(client, repository, one)).status === 201) stored.push(one)
      }
      for (const { digest, mediaType } of stored) {
        const answer = await askFor(client, { repository, mediaType }, digest)
        const seen = withoutParameters(expectHeader(answer, 'content-type'))
        expectThat(seen === mediaType, `Content-Type: ${mediaType} on GET of ${digest}`, seen)
      }
    },
  )

  test(
    'oci.pull.manifest.get.content-type.no-params',
    should('Content-Type of a pulled manifest carries no parameters such as charset.', pulling, {
      since: '1.1',
    }),
    async ({ client, manifests }) => {
      for (const manifest of manifests) {
        const answer = need('pulling', await askFor(client, manifest, manifest.digest), 200)
        expectHeader(answer, 'content-type', /^[^;]+$/)
      }
    },
  )

  test(
    'oci.pull.manifest.get.content-type.equals-mediatype',
    should('Content-Type and the mediaType member of a pulled manifest agree.', pulling),
    async ({ client, manifests, skip }) => {
      const answers = await Promise.all(manifests.map((one) => askFor(client, one, one.digest)))
      const marked = answers.flatMap((answer) => {
        const mediaType = memberOf(need('pulling', answer, 200), 'mediaType')
        return typeof mediaType === 'string' ? [{ answer, mediaType }] : []
      })
      skip(marked.length === 0, 'the manifests have no mediaType')
      for (const { answer, mediaType } of marked) {
        const seen = withoutParameters(expectHeader(answer, 'content-type'))
        expectThat(seen === mediaType, `Content-Type: ${mediaType}, as the manifest says`, seen)
      }
    },
  )

  test(
    'oci.pull.manifest.get.unknown-tag.404',
    must('A tag that does not exist answers 404.', pulling),
    async ({ client, manifest, content }) => {
      expectStatus(await askFor(client, manifest, content.name('no-such-tag')), 404)
    },
  )

  test(
    'oci.pull.manifest.get.unknown-digest.404',
    must('A digest that the repository does not hold answers 404.', pulling),
    async ({ client, manifest, content }) => {
      expectStatus(await askFor(client, manifest, content.bytes(32).digest), 404)
    },
  )

  test(
    'oci.pull.manifest.get.unknown-repo.404',
    must(
      'A pull from a repository that does not exist answers 404.',
      ociDistribution('Pushing Manifests', '#pushing-manifests'),
    ),
    async ({ client, manifest, registry, run, skip }) => {
      const repository = registry.repository('never-used')
      const byTag = await askFor(client, { ...manifest, repository }, 'latest')
      const byDigest = await askFor(client, { ...manifest, repository }, manifest.digest)
      // Without an account there may be no right to learn what does not exist.
      const hidden = !run.capabilities.credentials?.offered && [401, 403].includes(byTag.status)
      skip(hidden, `without an account, an unknown repository answers ${byTag.status}`)
      expectStatus(byTag, 404)
      expectStatus(byDigest, 404)
    },
  )

  test(
    'oci.pull.manifest.get.other-repo.404',
    must('A manifest that only another repository holds answers 404.', pulling, {
      needs: ['push'],
      since: '1.1',
    }),
    async ({ client, manifest, parts: { repository, whole } }) => {
      const answer = await askFor(client, { ...manifest, repository }, manifest.digest)
      expectStatus(answer, 404)
      need('pulling what is there', await askFor(client, { ...manifest, repository }, whole.digest), 200)
    },
  )

  test(
    'oci.pull.manifest.get.blob-digest.404',
    must('The digest of a blob is no manifest: it answers 404, or 400.', pulling),
    async ({ client, manifest }) => {
      const { digest } = manifest.blob
      expectStatus(await askFor(client, manifest, digest), 404, 400)
      expectStatus(await askFor(client, manifest, digest, { method: 'HEAD' }), 404, 400)
    },
  )

  test(
    'oci.pull.manifest.get.manifest-digest-as-blob',
    may(
      'The digest of a manifest asked for as a blob answers 404, or exactly the manifest.',
      ociDistribution('Pulling blobs', '#pulling-blobs'),
    ),
    async ({ client, manifest, skip }) => {
      const answer = await client.get(blobPath(manifest), { fresh: true })
      skip(answer.status === 404, 'manifests are not served as blobs')
      expectContent(answer, manifest.bytes)
    },
  )

  test(
    'oci.pull.manifest.get.tag-moves',
    must(
      'A tag that is pushed again points to the new manifest; the old one is still there by its digest and under its other tag.',
      pulling,
      { needs: ['push'] },
    ),
    async ({ client, image: { repository, manifest: before }, content }) => {
      const [moving, staying] = [content.name('moving'), content.name('staying')]
      for (const manifest of [before, spelt(before, 'indented')]) {
        await pushManifest(client, repository, manifest, moving)
        const { mediaType, bytes } = manifest
        expectBytes(await askFor(client, { repository, mediaType }, moving), bytes)
        // No sentence keeps a registry from collecting what has lost its last tag.
        if (manifest === before) await pushManifest(client, repository, manifest, staying)
      }
      const { digest, mediaType, bytes } = before
      for (const reference of [digest, staying]) {
        expectBytes(await askFor(client, { repository, mediaType }, reference), bytes)
      }
    },
  )

  test(
    'oci.pull.manifest.get.read-after-write',
    must('A manifest can be pulled as soon as its PUT has answered 201, by any connection.', pulling, {
      needs: ['push'],
    }),
    async ({ client, registry, image: { repository, manifest }, content }) => {
      const tag = content.name('written')
      await pushManifest(client, repository, manifest, tag)
      const { instances = [] } = registry.target
      const clients = [client, client, ...instances.map((url) => registry.at(url))]
      const { mediaType } = manifest
      const asked = clients.flatMap((one) =>
        [tag, manifest.digest].flatMap((reference) => [
          askFor(one, { repository, mediaType }, reference),
          askFor(one, { repository, mediaType }, reference, { method: 'HEAD' }),
        ]),
      )
      for (const answer of await Promise.all(asked)) {
        expectContent(answer, answer.method === 'HEAD' ? new Uint8Array() : manifest.bytes)
      }
    },
  )
})
