import { describe } from 'vitest'
import { descriptor } from '../../../../fixtures/descriptor.ts'
import { invalidManifests, notManifests } from '../../../../fixtures/invalid-manifests.ts'
import { imageManifest } from '../../../../fixtures/manifest.ts'
import { manifestTypes } from '../../../../fixtures/media-types.ts'
import { spelt } from '../../../../fixtures/odd-manifests.ts'
import {
  expectContent,
  expectHeader,
  expectRefusal,
  expectStatus,
  expectThat,
} from '../../../../harness/finding.ts'
import { may, must, should } from '../../../../harness/requirement.ts'
import { eachCase } from '../../../each-case.ts'
import { locationOf, need, pushArtifact, pushManifest, putManifest } from '../../../push.ts'
import { expectManifest, expectNoManifest, listedTags, readManifest } from '../../../readback.ts'
import { ociDistribution, rfc } from '../../../specifications.ts'
import { test } from '../../parts.ts'
import { expectLocation } from '../named-location.ts'
import { pushedBothWays } from './both-ways.ts'

const pushing = ociDistribution('Pushing Manifests', '#pushing-manifests')
const errorCodes = ociDistribution('Error Codes', '#error-codes')
const needs = ['push'] as const

describe('Pushing a manifest', () => {
  test(
    'oci.push.manifest.put.by-tag.201',
    must('A valid manifest pushed by tag is answered with 201', pushing, { needs }),
    async ({ client, image: { repository, manifest }, content }) => {
      const tag = content.name('by-tag')
      expectStatus(await putManifest(client, repository, manifest, tag), 201)
      await expectManifest(client, repository, manifest, tag)
      await expectManifest(client, repository, manifest)
    },
  )

  test(
    'oci.push.manifest.put.by-digest.201',
    must('A valid manifest pushed by digest is answered with 201', pushing, { needs }),
    async ({ client, registry }) => {
      const { repository, manifest, byDigest } = await pushedBothWays(registry)
      expectStatus(byDigest, 201)
      await expectManifest(client, repository, manifest)
    },
  )

  test(
    'oci.push.manifest.put.location',
    must('That 201 has a Location', pushing, { needs }),
    async ({ registry }) => {
      const { byTag, byDigest } = await pushedBothWays(registry)
      for (const put of [byTag, byDigest]) expectLocation(need('pushing', put, 201))
    },
  )

  test(
    'oci.push.manifest.put.location-pullable',
    must('The manifest can be pulled from that Location, with its bytes and its type', pushing, { needs }),
    async ({ client, registry }) => {
      const { manifest, byTag, byDigest } = await pushedBothWays(registry)
      for (const put of [byTag, byDigest]) {
        const headers = { accept: manifest.mediaType }
        const pulled = await client.get(locationOf(need('pushing', put, 201)), { headers, fresh: true })
        expectContent(pulled, manifest.bytes)
        expectHeader(pulled, 'content-type', manifest.mediaType)
      }
    },
  )

  test(
    'oci.push.manifest.put.digest-header.true',
    must('A Docker-Content-Digest on that 201 is the digest of the bytes that were pushed', pushing, {
      needs,
    }),
    async ({ registry, skip }) => {
      const { manifest, ...puts } = await pushedBothWays(registry)
      const [byTag, byDigest] = [need('pushing', puts.byTag, 201), need('pushing', puts.byDigest, 201)]
      const named = [byTag, byDigest].flatMap((answer) => answer.header('docker-content-digest') ?? [])
      skip(named.length === 0, 'no Docker-Content-Digest was sent')
      for (const digest of named) expectThat(digest === manifest.digest, manifest.digest, digest)
    },
  )

  test(
    'oci.push.manifest.put.retag-idempotent',
    should('The same PUT again succeeds and changes nothing', rfc(9110)('9.2.2'), { needs }),
    async ({ client, repository, content }) => {
      const manifest = await pushArtifact(client, repository, content, 'again')
      expectStatus(await putManifest(client, repository, manifest, 'again'), 201)
      await expectManifest(client, repository, manifest, 'again')
      const tags = await listedTags(client, repository)
      const times = tags.filter((tag) => tag === 'again').length
      expectThat(times <= 1, 'the tag once in the list', `${times} times`)
    },
  )

  test(
    'oci.push.manifest.put.content-type-params',
    should('Parameters of the Content-Type of a push are ignored', pushing, { needs, since: '1.1' }),
    async ({ client, image: { repository, manifest } }) => {
      const headers = { 'content-type': `${manifest.mediaType}; charset=utf-8` }
      const path = `/v2/${repository}/manifests/${manifest.digest}`
      expectStatus(await client.put(path, { headers, body: manifest }), 201)
      const pulled = await expectManifest(client, repository, manifest)
      expectHeader(pulled, 'content-type', manifest.mediaType)
    },
  )

  test(
    'oci.push.manifest.put.content-type-mismatch',
    should('A manifest whose mediaType is not its Content-Type is not stored under the wrong type', pushing, {
      needs,
    }),
    async ({ client, image: { repository, manifest }, skip }) => {
      const headers = { 'content-type': manifestTypes.ociIndex }
      const path = `/v2/${repository}/manifests/${manifest.digest}`
      const { status } = await client.put(path, { headers, body: manifest })
      const accept = `${manifest.mediaType}, ${manifestTypes.ociIndex}`
      const read = await readManifest(client, repository, manifest.digest, accept)
      const type = read.header('content-type')
      // "The Content-Type header SHOULD match what the client pushed": who serves what was said is not to blame.
      skip(status === 201 && type === manifestTypes.ociIndex, 'manifests are served under what the push said')
      const right = status === 201 ? type === manifest.mediaType : read.status === 404
      const seen = `${status}, then ${read.status} with Content-Type: ${type}`
      expectThat(right && status < 500, `a refusal (4xx), or 201 and then ${manifest.mediaType}`, seen)
    },
  )

  test(
    'oci.push.manifest.put.no-mediatype',
    should('A manifest without mediaType is taken under its Content-Type', pushing, { needs }),
    async ({ client, parts: { repository, config, layers } }) => {
      const manifest = imageManifest({ config, layers, members: { mediaType: undefined } })
      expectStatus(await putManifest(client, repository, manifest), 201)
      const pulled = await expectManifest(client, repository, manifest)
      expectHeader(pulled, 'content-type', manifest.mediaType)
    },
  )

  test(
    'oci.push.manifest.put.digest-mismatch.400',
    must('A manifest pushed by another digest than its own is refused and not stored', pushing, { needs }),
    async ({ client, image: { repository, manifest: known }, content }) => {
      await pushManifest(client, repository, known)
      const other = spelt(known, 'indented')
      const { digest } = content.bytes(100)
      for (const named of [digest, known.digest]) {
        expectRefusal(await putManifest(client, repository, other, named))
      }
      await expectNoManifest(client, repository, digest, other.mediaType)
      await expectManifest(client, repository, known)
    },
  )

  test(
    'oci.push.manifest.put.invalid-json.4xx',
    should('A body that is not a JSON object is refused', errorCodes, { needs }),
    async ({ client, parts: { repository }, content }) => {
      const tag = content.name('invalid')
      await eachCase(Object.entries(notManifests()), async (body) => {
        expectRefusal(await putManifest(client, repository, body, tag))
      })
      await expectNoManifest(client, repository, tag, manifestTypes.ociManifest)
    },
  )

  test(
    'oci.push.manifest.put.invalid-schema.4xx',
    should(
      'An image manifest is refused that has no schemaVersion 2, config or layers, or a digest or size of another form',
      errorCodes,
      { needs },
    ),
    async ({ client, parts: { repository, config, layers }, content }) => {
      const [layer = config] = layers
      const tag = content.name('invalid')
      const variants = invalidManifests(descriptor(config), descriptor(layer))
      await eachCase(Object.entries(variants), async (invalid) => {
        expectRefusal(await putManifest(client, repository, invalid, tag))
      })
    },
  )

  test(
    'oci.push.manifest.put.size-mismatch',
    may(
      'A manifest whose descriptor has a wrong size, also a negative one, is taken, or refused with a 4xx',
      errorCodes,
      { needs },
    ),
    async ({ client, parts: { repository, config, layers }, content }) => {
      const [layer = config] = layers
      const tag = content.name('wrong-size')
      for (const size of [layer.size + 1, -1]) {
        const manifest = imageManifest({ config, layers: [descriptor(layer, { size })] })
        const { status } = await putManifest(client, repository, manifest, tag)
        const right = status === 201 || (status >= 400 && status < 500)
        expectThat(right, `201 or a refusal (4xx) of the size ${size}`, String(status))
      }
    },
  )
})
