import { describe } from 'vitest'
import { defaultPlatform, emptyConfig, imageConfig } from '../../../fixtures/config.ts'
import { typed } from '../../../fixtures/content.ts'
import { descriptor, embedded } from '../../../fixtures/descriptor.ts'
import {
  artifactManifest,
  dockerManifest,
  dockerManifestList,
  imageIndex,
  imageManifest,
  paddedManifest,
} from '../../../fixtures/manifest.ts'
import { configTypes, layerTypes, manifestTypes, vendorTypes } from '../../../fixtures/media-types.ts'
import { spelt } from '../../../fixtures/odd-manifests.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectHeader, expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { errorCodes } from '../../error-codes.ts'
import { pushBlob, pushManifest, putManifest } from '../../push.ts'
import { expectManifest, expectNoBlob, expectNoManifest, listedTags } from '../../readback.ts'
import { ociDistribution } from '../../specifications.ts'
import { fourMegabytes } from '../four-megabytes.ts'
import { test } from '../parts.ts'

const push = ociDistribution('Push', '#push')
const pushing = ociDistribution('Pushing Manifests', '#pushing-manifests')
const definitions = ociDistribution('Definitions', '#definitions')
const needs = ['push'] as const
const absentBlob = 'MANIFEST_BLOB_UNKNOWN'

const refused = ({ status }: Answer) => status >= 400 && status < 500

/** A refusal that gives what is absent as its reason, as far as it has a JSON body. */
const saysAbsent = (answer: Answer) =>
  refused(answer) && (errorCodes(answer) ?? [absentBlob]).includes(absentBlob)

const shown = (answer: Answer) => `${answer.status}: ${answer.text().slice(0, 120)}`

describe('Manifests that refer to what is absent', () => {
  test(
    'oci.push.manifest.missing-blob.code',
    must('A manifest that is refused for an absent blob is refused with MANIFEST_BLOB_UNKNOWN', push, {
      needs,
      since: '1.1',
    }),
    async ({ client, parts: { repository, config }, content, skip }) => {
      const layers = [typed(content.bytes(100), layerTypes.gzip)]
      const answer = await putManifest(client, repository, imageManifest({ config, layers }))
      skip(answer.status === 201, 'manifests whose blobs are absent are accepted')
      skip(errorCodes(answer) === undefined, 'the refusal has no JSON body')
      expectThat(saysAbsent(answer), `a refusal (4xx) with ${absentBlob}`, shown(answer))
    },
  )

  test(
    'oci.push.manifest.missing-child.code',
    must('An index that is refused for an absent manifest is refused with MANIFEST_BLOB_UNKNOWN', push, {
      needs,
      since: '1.1',
    }),
    async ({ client, parts: { repository, whole }, content, skip }) => {
      const child = typed(content.bytes(100), manifestTypes.ociManifest)
      const answer = await putManifest(client, repository, imageIndex({ manifests: [whole, child] }))
      skip(answer.status === 201, 'indexes whose manifests are absent are accepted')
      skip(errorCodes(answer) === undefined, 'the refusal has no JSON body')
      expectThat(saysAbsent(answer), `a refusal (4xx) with ${absentBlob}`, shown(answer))
    },
  )

  test(
    'oci.push.manifest.missing-blob.consistent',
    may('A blob that only another repository has counts as absent', push, { needs, since: '1.1' }),
    async ({ client, registry, parts: { repository, config }, content }) => {
      const elsewhere = typed(content.bytes(100), layerTypes.gzip)
      await pushBlob(client, registry.repository('elsewhere'), elsewhere)
      const nowhere = typed(content.bytes(100), layerTypes.gzip)
      const [other, absent] = [elsewhere, nowhere].map((layer) => imageManifest({ config, layers: [layer] }))
      const ofOther = await putManifest(client, repository, other ?? nowhere)
      const ofAbsent = await putManifest(client, repository, absent ?? nowhere)
      const same = refused(ofOther) === refused(ofAbsent)
      expectThat(same, `${ofAbsent.status}, as for a blob that is nowhere`, String(ofOther.status))
      await expectNoBlob(client, repository, elsewhere.digest)
    },
  )

  test(
    'oci.push.manifest.rejected-not-stored',
    must('A manifest that is refused is served under no tag and no digest, and not listed', push, { needs }),
    async ({ client, image: { repository, config, manifest }, content, skip }) => {
      const kept = content.name('kept')
      await pushManifest(client, repository, manifest, kept)
      const layers = [typed(content.bytes(100), layerTypes.gzip)]
      const bodies = [typed(content.bytes(80), manifest.mediaType), imageManifest({ config, layers })]
      const rejected: string[] = []
      for (const body of bodies) {
        const tag = content.name('refused')
        if (!refused(await putManifest(client, repository, body, tag))) continue
        await putManifest(client, repository, body, kept)
        rejected.push(tag, body.digest)
      }
      skip(rejected.length === 0, 'no manifest was refused')
      for (const reference of rejected) {
        await expectNoManifest(client, repository, reference, manifest.mediaType)
      }
      await expectManifest(client, repository, manifest, kept)
      const tags = await listedTags(client, repository)
      const listed = tags.filter((tag) => rejected.includes(tag))
      expectThat(listed.length === 0, 'a list without refused tags', tags.join(', '))
    },
  )

  test(
    'oci.push.manifest.subject-missing.accepted',
    must('A manifest whose subject does not exist yet is accepted', push, { needs, since: '1.1' }),
    async ({ client, parts: { repository, config, layers }, content }) => {
      const subject = typed(content.bytes(100), manifestTypes.ociManifest)
      const manifest = imageManifest({ config, layers, subject })
      expectStatus(await putManifest(client, repository, manifest), 201)
      await expectManifest(client, repository, manifest)
    },
  )

  test(
    'oci.push.manifest.nondistributable',
    may(
      'A layer that may not be distributed need not be there: it is accepted, or refused with a 4xx',
      pushing,
      {
        needs,
      },
    ),
    async ({ client, parts: { repository, config }, content }) => {
      const absent = typed(content.bytes(100), layerTypes.nondistributable)
      const layers = [descriptor(absent, { urls: ['https://layers.example.org/base.tar.gz'] })]
      const answer = await putManifest(client, repository, imageManifest({ config, layers }))
      // It may be refused for its URL too, so any code will do.
      expectThat(answer.status === 201 || refused(answer), '201, or a refusal (4xx)', shown(answer))
    },
  )
})

describe('Kinds of manifests', () => {
  test(
    'oci.push.manifest.layers-empty',
    must('A manifest may have no layers', pushing, { needs }),
    async ({ client, repository, content }) => {
      const label = content.name('label')
      const config = imageConfig({ layers: [], label })
      await pushBlob(client, repository, config)
      const manifest = imageManifest({ config, layers: [] })
      expectStatus(await putManifest(client, repository, manifest), 201)
      await expectManifest(client, repository, manifest)
    },
  )

  test(
    'oci.push.manifest.index',
    should('An image index can be pushed and pulled', definitions, { needs }),
    async ({ client, image: { repository, manifest, whole }, content }) => {
      await pushManifest(client, repository, manifest)
      const [forAmd, forArm] = [
        descriptor(manifest, { platform: defaultPlatform }),
        descriptor(whole, { platform: arm64 }),
      ]
      const index = imageIndex({ manifests: [forAmd, forArm] })
      const tag = content.name('platforms')
      expectStatus(await putManifest(client, repository, index, tag), 201)
      const pulled = await expectManifest(client, repository, index, tag)
      expectHeader(pulled, 'content-type', manifestTypes.ociIndex)
    },
  )

  test(
    'oci.push.manifest.index-nested',
    should('An index may contain indexes, and may be empty', definitions, { needs }),
    async ({ client, parts: { repository, whole }, content }) => {
      const empty = imageIndex({ manifests: [], annotations: { 'org.example.name': content.name('empty') } })
      const outer = imageIndex({ manifests: [whole, empty] })
      for (const index of [empty, outer]) {
        expectStatus(await putManifest(client, repository, index), 201)
        await expectManifest(client, repository, index)
      }
    },
  )

  test(
    'oci.push.manifest.artifact-type',
    should(
      'Any artifactType and any type of config and layers is accepted',
      ociDistribution('Introduction', '#introduction'),
      {
        needs,
      },
    ),
    async ({ client, parts: { repository, ...parts }, content }) => {
      const { artifact: artifactType } = vendorTypes
      const config = typed(parts.config, vendorTypes.config)
      const layers = parts.layers.map((layer) => typed(layer, vendorTypes.layer))
      const withConfig = artifactManifest({ artifactType, config, layers })
      const withoutConfig = artifactManifest({ artifactType, annotations: { run: content.name('run') } })
      for (const manifest of [withConfig, withoutConfig]) {
        expectStatus(await putManifest(client, repository, manifest), 201)
        await expectManifest(client, repository, manifest)
      }
    },
  )

  test(
    'oci.push.manifest.data-field',
    should('A descriptor that carries its content in data is kept as it is', pushing, {
      needs,
      since: '1.1',
    }),
    async ({ client, parts: { repository, config, layers } }) => {
      const manifest = imageManifest({ config: embedded(config), layers: layers.map(embedded) })
      expectStatus(await putManifest(client, repository, manifest), 201)
      await expectManifest(client, repository, manifest)
    },
  )

  test(
    'oci.push.manifest.unknown-fields',
    must('Members that nobody knows are no reason to refuse a manifest, and are kept', pushing, {
      needs,
      since: '1.1',
    }),
    async ({ client, image: { repository, manifest } }) => {
      const odd = spelt(manifest, 'unknown members')
      expectStatus(await putManifest(client, repository, odd), 201)
      await expectManifest(client, repository, odd)
    },
  )

  test(
    'oci.push.manifest.docker-v2s2',
    may('Docker schema 2 manifests and lists are accepted, or refused with errors in JSON', definitions, {
      needs,
    }),
    async ({ client, parts: { repository, config, layers, whole } }) => {
      const docker = typed(config, configTypes.docker)
      const manifest = dockerManifest({ config: docker, layers })
      const list = dockerManifestList({ manifests: [descriptor(manifest, { platform: defaultPlatform })] })
      for (const body of [manifest, list]) {
        const answer = await putManifest(client, repository, body)
        const told = refused(answer) && (errorCodes(answer) ?? []).length > 0
        const right = answer.status === 201 || told
        expectThat(right, '201, or a refusal (4xx) with errors in JSON', shown(answer))
        await expectManifest(client, repository, answer.status === 201 ? body : whole)
      }
    },
  )

  test(
    'oci.push.manifest.sha512',
    may(
      'A manifest pushed by its sha512 digest is served under it, and a Docker-Content-Digest on the 201 is that digest',
      ociDistribution('Pulling manifests', '#pulling-manifests'),
      {
        needs: ['push', 'sha512'],
      },
    ),
    async ({ client, image: { repository, manifest }, skip }) => {
      const digest = manifest.sha512()
      const answer = await putManifest(client, repository, manifest, digest)
      skip(refused(answer), `a push by sha512 digest answered ${answer.status}`)
      expectStatus(answer, 201)
      // "… and MUST be equal to the client provided digest."
      if (answer.header('docker-content-digest') !== undefined)
        expectHeader(answer, 'docker-content-digest', digest)
      await expectManifest(client, repository, manifest, digest)
    },
  )
})

describe('Sizes of manifests', () => {
  test(
    'oci.push.manifest.size.4mib',
    should('A manifest of 4 megabytes is accepted', pushing, { needs, since: '1.1' }),
    async ({ client, registry, repository }) => {
      const referring = await fourMegabytes(registry)
      const isTaken = referring.answer.status === 201
      // What was refused may have been refused for its subject.
      const manifest = isTaken ? referring.manifest : paddedManifest(ofNothing, 4_000_000)
      const holder = isTaken ? referring.repository : repository
      if (!isTaken) {
        await pushBlob(client, repository, emptyConfig)
        expectStatus(await putManifest(client, repository, manifest), 201)
      }
      await expectManifest(client, holder, manifest)
    },
  )

  test(
    'oci.push.manifest.size.limit-413',
    should('A manifest over the limit of the registry is refused with 413', pushing, { needs, since: '1.1' }),
    // Alone, since some registries read every manifest of a repository again for each that is pushed.
    async ({ client, repository, skip }) => {
      await pushBlob(client, repository, emptyConfig)
      let answer = await putManifest(client, repository, paddedManifest(ofNothing, 4_300_000))
      if (answer.status === 201)
        answer = await putManifest(client, repository, paddedManifest(ofNothing, 9_000_000))
      skip(answer.status === 201, 'no limit up to 9 megabytes')
      expectStatus(answer, 413)
    },
  )
})

const ofNothing = { config: emptyConfig, layers: [emptyConfig] }
const arm64 = { os: 'linux', architecture: 'arm64', variant: 'v8' }
