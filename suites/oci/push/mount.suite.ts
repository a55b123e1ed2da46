import { describe } from 'vitest'
import { expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { closeUpload, locationOf, need, pushBlob, startUpload } from '../../push.ts'
import { expectBlob, expectNoBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { ociDistribution, theService } from '../../specifications.ts'
import { mount, mounted, mountSource } from './mounted.ts'
import { expectDigestOf } from './named-digest.ts'
import { expectLocation } from './named-location.ts'
import { expectServed } from './served-at.ts'

const mounting = ociDistribution(
  'Mounting a blob from another repository',
  '#mounting-a-blob-from-another-repository',
)
const needs = ['push'] as const

describe('Mounting a blob from another repository', () => {
  test(
    'oci.push.mount.201-or-202',
    should('A mount answers 201, or 202 with an upload session', mounting, { needs }),
    async ({ registry }) => {
      const { answer } = await mounted(registry)
      expectStatus(answer, 201, 202)
      expectLocation(answer)
    },
  )

  test(
    'oci.push.mount.201.location',
    must('After a 201 the blob is in the repository, and its Location serves it', mounting, {
      needs: ['push', 'mount'],
      uses: ['sha512'],
    }),
    async ({ client, registry, run, skip }) => {
      const { source, blob, repository, answer } = await mounted(registry)
      const mounts = [{ digest: blob.digest, answer }]
      if (run.capabilities.sha512?.offered) {
        const started = await startUpload(client, source)
        const digest = blob.sha512()
        need('pushing a blob under sha512', await closeUpload(client, started, digest, blob), 201)
        mounts.push({ digest, answer: await mount(client, repository, digest, source) })
      }
      const granted = mounts.filter((one) => one.answer.status !== 202)
      skip(granted.length === 0, 'the mount was not granted')
      for (const one of granted) {
        need('a mount', one.answer, 201)
        expectLocation(one.answer)
        await expectServed(client, one.answer, repository, blob, one.digest)
      }
    },
  )

  test(
    'oci.push.mount.202.session-usable',
    should('The 202 to a mount opens an upload that works', mounting, { needs }),
    async ({ client, registry, repository, content, skip }) => {
      const { source } = await mountSource(registry)
      const blob = content.bytes(1000)
      const answer = await mount(client, repository, blob.digest, source)
      skip(answer.status !== 202, `the mount of an absent blob answered ${answer.status}`)
      expectLocation(answer)
      expectStatus(await closeUpload(client, locationOf(answer), blob.digest, blob), 201)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.mount.missing-blob.202',
    should('Mounting a blob that the source does not have answers 202', mounting, { needs }),
    async ({ client, registry, repository, content }) => {
      const { source } = await mountSource(registry)
      const { digest } = content.bytes(1000)
      expectStatus(await mount(client, repository, digest, source), 202)
      await expectNoBlob(client, repository, digest)
    },
  )

  test(
    'oci.push.mount.missing-repo.202',
    should('Mounting from a repository that does not exist answers 202', mounting, { needs }),
    async ({ client, registry, repository, content }) => {
      const { digest } = content.bytes(1000)
      expectStatus(await mount(client, repository, digest, registry.repository('never-used')), 202)
      await expectNoBlob(client, repository, digest)
    },
  )

  test(
    'oci.push.mount.anonymous',
    may('A mount without from mounts the blob or opens an upload', mounting, { needs, since: '1.1' }),
    async ({ client, registry, repository }) => {
      const { source, blob } = await mountSource(registry)
      // Nobody else's blob may be mounted, so the token reads the source although the request does not name it.
      const scopes = [`repository:${repository}:pull,push`, `repository:${source}:pull`]
      const answer = await mount(client, repository, blob.digest, undefined, { scopes })
      expectStatus(answer, 201, 202)
      if (answer.status === 202) {
        need('the upload', await closeUpload(client, locationOf(answer), blob.digest, blob), 201)
      }
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.mount.digest-header',
    may('A Docker-Content-Digest on the 201 to a mount is a digest of the blob', mounting, {
      needs: ['push', 'mount'],
    }),
    async ({ registry, skip }) => {
      const { blob, answer } = await mounted(registry)
      const named = answer.header('docker-content-digest')
      if (answer.status !== 201 || named === undefined) return skip('no Docker-Content-Digest on a 201')
      expectDigestOf(blob, named)
    },
  )

  test(
    'oci.push.mount.invalid-digest',
    should(
      'A mount of a digest that breaks the grammar is refused with 400 or answered with 202',
      ociDistribution('Pushing blobs', '#pushing-blobs'),
      { needs },
    ),
    async ({ client, registry, repository }) => {
      const { source, blob } = await mountSource(registry)
      for (const malformed of ['sha256:xyz', blob.digest.slice(0, -1)]) {
        expectStatus(await mount(client, repository, malformed, source), 400, 202)
      }
    },
  )

  test(
    'oci.push.mount.requires-source-pull',
    must(
      'Who may not pull the source cannot get its blob by a mount, whether it names the source or not',
      theService('Registry authentication', '#registry-authentication'),
      { needs: ['push', 'auth'] },
    ),
    async ({ client, registry, repository, content, skip }) => {
      const source = registry.repository('source')
      const blob = await pushBlob(client, source, content.bytes(1000))
      const options = { scopes: [`repository:${repository}:pull,push`] }
      const read = await client.get(`/v2/${source}/blobs/${blob.digest}`, options)
      skip(read.status < 400, 'a token for one repository pulls from another')
      for (const from of [source, undefined]) {
        const answer = await mount(client, repository, blob.digest, from, options)
        expectThat(answer.status !== 201, 'no 201 to a mount from a source that may not be pulled', '201')
      }
      await expectNoBlob(client, repository, blob.digest)
    },
  )
})
