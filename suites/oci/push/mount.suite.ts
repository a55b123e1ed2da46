import { describe } from 'vitest'
import type { Answer } from '../../../harness/answer.ts'
import { expectContent, expectStatus, expectThat } from '../../../harness/finding.ts'
import type { RegistryClient, RegistryRequestOptions } from '../../../harness/registry-client.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { closeUpload, locationOf, need, pushBlob, startUpload } from '../../push.ts'
import { expectBlob, expectNoBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { ociDistribution, theService } from '../../specifications.ts'
import { expectDigestOf } from './named-digest.ts'
import { expectLocation } from './named-location.ts'

const mounting = ociDistribution(
  'Mounting a blob from another repository',
  '#mounting-a-blob-from-another-repository',
)
const needs = ['push'] as const

/** Asks for a blob of another repository, or of any where none is named. */
function mount(
  client: RegistryClient,
  repository: string,
  digest: string,
  from?: string,
  options?: RegistryRequestOptions,
): Promise<Answer> {
  const source = from === undefined ? '' : `&from=${encodeURIComponent(from)}`
  return client.post(`/v2/${repository}/blobs/uploads/?mount=${digest}${source}`, options)
}

describe('Mounting a blob from another repository', () => {
  test(
    'oci.push.mount.201-or-202',
    should('A mount answers 201, or 202 with an upload session', mounting, { needs }),
    async ({ client, registry, repository, content }) => {
      const source = registry.repository('source')
      const blob = await pushBlob(client, source, content.bytes(1000))
      const answer = await mount(client, repository, blob.digest, source)
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
    async ({ client, registry, repository, content, run, skip }) => {
      const source = registry.repository('source')
      const blob = await pushBlob(client, source, content.bytes(1000))
      const digests = [blob.digest]
      if (run.capabilities.sha512?.offered) {
        const started = await startUpload(client, source)
        const pushed = await closeUpload(client, started, blob.sha512(), blob)
        need('pushing a blob under sha512', pushed, 201)
        digests.push(blob.sha512())
      }
      const mounts = await Promise.all(digests.map((digest) => mount(client, repository, digest, source)))
      skip(
        mounts.every(({ status }) => status === 202),
        'the mount was not granted',
      )
      for (const [index, mounted] of mounts.entries()) {
        if (mounted.status === 202) continue
        need('a mount', mounted, 201)
        expectLocation(mounted)
        const pulled = await client.get(locationOf(mounted), { fresh: true })
        expectContent(pulled, blob.bytes)
        await expectBlob(client, repository, blob, digests[index])
      }
    },
  )

  test(
    'oci.push.mount.202.session-usable',
    should('The 202 to a mount opens an upload that works', mounting, { needs }),
    async ({ client, registry, repository, content, skip }) => {
      const source = registry.repository('source')
      await pushBlob(client, source, content.bytes(500))
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
      const source = registry.repository('source')
      await pushBlob(client, source, content.bytes(500))
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
    async ({ client, registry, repository, content }) => {
      const source = registry.repository('source')
      const blob = await pushBlob(client, source, content.bytes(1000))
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
    async ({ client, registry, repository, content, skip }) => {
      const source = registry.repository('source')
      const blob = await pushBlob(client, source, content.bytes(1000))
      const mounted = await mount(client, repository, blob.digest, source)
      const named = mounted.header('docker-content-digest')
      if (mounted.status !== 201 || named === undefined) return skip('no Docker-Content-Digest on a 201')
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
    async ({ client, registry, repository, content }) => {
      const source = registry.repository('source')
      const { digest } = await pushBlob(client, source, content.bytes(500))
      for (const malformed of ['sha256:xyz', 'abc', digest.slice(0, -1)]) {
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
