import { describe } from 'vitest'
import { notManifests } from '../../../fixtures/invalid-manifests.ts'
import type { Answer } from '../../../harness/answer.ts'
import { should } from '../../../harness/requirement.ts'
import { errorCodes } from '../../error-codes.ts'
import { closeUpload, need, pushArtifact, pushBlob, putManifest, sendChunk, startUpload } from '../../push.ts'
import { ociDistribution } from '../../specifications.ts'
import { scopesFor } from '../base/pushing-under.ts'
import { askFor, test } from '../existing.ts'
import { blobPath } from '../named-content.ts'
import { throttled } from '../throttling.ts'
import { expectCode } from './expect-code.ts'

const codes = ociDistribution('Error Codes', '#error-codes')
const needs = ['push'] as const

describe('Error codes', () => {
  test(
    'oci.error.code-01.blob-unknown',
    should('The error for a blob that is not there is BLOB_UNKNOWN, to GET and to DELETE.', codes, {
      uses: ['delete.blob'],
    }),
    async ({ client, manifest, content, run, skip }) => {
      const path = blobPath({ ...manifest, digest: content.bytes(32).digest })
      const answers = [await client.get(path)]
      if (run.capabilities['delete.blob']?.offered) answers.push(await client.delete(path))
      expectCode(answers, ['BLOB_UNKNOWN', 'NAME_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-02.blob-upload-invalid',
    should('The error for a chunk that is out of order is BLOB_UPLOAD_INVALID.', codes, { needs }),
    async ({ client, repository, content, skip }) => {
      const location = await startUpload(client, repository)
      const answer = await sendChunk(client, location, content.bytes(100), 100)
      expectCode([answer], ['BLOB_UPLOAD_INVALID', 'BLOB_UPLOAD_UNKNOWN', 'SIZE_INVALID'], skip)
    },
  )

  test(
    'oci.error.code-03.blob-upload-unknown',
    should('The error for an upload that is closed already is BLOB_UPLOAD_UNKNOWN.', codes, { needs }),
    async ({ client, repository, content, skip }) => {
      const location = await startUpload(client, repository)
      const blob = content.bytes(100)
      need('pushing a blob', await closeUpload(client, location, blob.digest, blob), 201)
      const answers = [
        await client.get(location),
        await sendChunk(client, location, blob, 0),
        await closeUpload(client, location, blob.digest, blob),
      ]
      expectCode(answers, ['BLOB_UPLOAD_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-04.digest-invalid',
    should(
      'The error for a digest that is malformed, or not that of the content, is DIGEST_INVALID.',
      codes,
      { needs },
    ),
    async ({ client, repository, content, skip }) => {
      const [pushed, other] = [content.bytes(100), content.bytes(100)]
      const answers = []
      for (const digest of [other.digest, 'sha256:zz']) {
        answers.push(await closeUpload(client, await startUpload(client, repository), digest, pushed))
      }
      expectCode(answers, ['DIGEST_INVALID'], skip)
    },
  )

  test(
    'oci.error.code-06.manifest-invalid',
    should('The error for a manifest that is none is MANIFEST_INVALID.', codes, { needs }),
    async ({ client, repository, skip }) => {
      const answers = []
      for (const body of Object.values(notManifests())) {
        answers.push(await putManifest(client, repository, body, 'broken'))
      }
      expectCode(answers, ['MANIFEST_INVALID'], skip)
    },
  )

  test(
    'oci.error.code-07.manifest-unknown',
    should('The error for a tag or digest that a known repository does not have is MANIFEST_UNKNOWN.', codes),
    async ({ client, manifest, content, skip }) => {
      const answers = [
        await askFor(client, manifest, 'no-such-tag'),
        await askFor(client, manifest, content.bytes(32).digest),
      ]
      expectCode(answers, ['MANIFEST_UNKNOWN', 'NAME_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-08.name-invalid',
    should('The error for a name outside the grammar is NAME_INVALID.', codes, { needs }),
    async ({ client, repository, skip }) => {
      const answers = []
      for (const name of [`${repository}/UPPER`, `${repository}/a..b`, `${repository}/-a`]) {
        const scopes = await scopesFor(client, name, repository)
        answers.push(await client.post(`/v2/${name}/blobs/uploads/`, { scopes }))
      }
      expectCode(answers, ['NAME_INVALID', 'NAME_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-09.name-unknown',
    should('The error for a repository that does not exist is NAME_UNKNOWN.', codes),
    async ({ client, manifest, registry, skip }) => {
      const repository = registry.repository('never-used')
      const listed = [await client.get(`/v2/${repository}/tags/list`)]
      const pulled = [await askFor(client, { ...manifest, repository }, 'latest')]
      expectCode(listed, ['NAME_UNKNOWN'], skip)
      expectCode(pulled, ['NAME_UNKNOWN', 'MANIFEST_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-10.size-invalid',
    should('The error for a chunk that has another length than its Content-Range is SIZE_INVALID.', codes, {
      needs,
    }),
    async ({ client, repository, content, skip }) => {
      const location = await startUpload(client, repository)
      const headers = { 'content-type': 'application/octet-stream', 'content-range': '0-199' }
      const answer = await client.patch(location, { headers, body: content.bytes(100) })
      expectCode([answer], ['SIZE_INVALID', 'BLOB_UPLOAD_INVALID'], skip)
    },
  )

  test(
    'oci.error.code-11.unauthorized',
    should('The error for a request without credentials that needs them is UNAUTHORIZED.', codes, {
      needs: ['auth'],
    }),
    async ({ registry, manifest, skip }) => {
      const anonymous = registry.as('anonymous')
      const answers = [
        await anonymous.get('/v2/'),
        await anonymous.get(blobPath(manifest.blob)),
        await anonymous.post(`/v2/${manifest.repository}/blobs/uploads/`),
      ]
      expectCode(
        answers.filter(({ status }) => status === 401),
        ['UNAUTHORIZED'],
        skip,
      )
    },
  )

  test(
    'oci.error.code-12.denied',
    should(
      'The error for a request that the account may not make, where it is refused with 403, is DENIED.',
      codes,
      {
        needs: ['push', 'auth', 'reader'],
      },
    ),
    async ({ registry, own, skip }) => {
      const { repository, bytes, mediaType } = own
      const reader = registry.as('reader')
      const put = { headers: { 'content-type': mediaType }, body: bytes }
      const answers = [
        await reader.post(`/v2/${repository}/blobs/uploads/`),
        await reader.put(`/v2/${repository}/manifests/denied`, put),
      ]
      expectCode(
        answers.filter(({ status }) => status === 403),
        ['DENIED'],
        skip,
      )
    },
  )

  test(
    'oci.error.code-13.unsupported',
    should(
      'The error for the deletion of a tag, manifest or blob, where it is switched off (400 or 405), is UNSUPPORTED.',
      codes,
      { needs, uses: ['delete.tag', 'delete.manifest', 'delete.blob'] },
    ),
    async ({ client, repository, content, run, skip }) => {
      // Nothing refers to the blob, which would be another reason to keep it.
      const { digest } = await pushArtifact(client, repository, content, 'tag')
      const loose = await pushBlob(client, repository, content.bytes(100))
      const deletions = [
        ['delete.tag', 'manifests/tag'],
        ['delete.manifest', `manifests/${digest}`],
        ['delete.blob', `blobs/${loose.digest}`],
      ] as const
      const off = deletions.filter(([deletion]) => !run.capabilities[deletion]?.offered)
      const answers = await Promise.all(off.map(([, path]) => client.delete(`/v2/${repository}/${path}`)))
      // To a registry that deletes by digest alone, a tag is a malformed digest.
      const misread = (answer: Answer) =>
        answer.url.endsWith('/tag') && errorCodes(answer)?.includes('DIGEST_INVALID')
      const switchedOff = answers.filter((one) => (one.status === 400 || one.status === 405) && !misread(one))
      expectCode(switchedOff, ['UNSUPPORTED'], skip)
    },
  )

  test(
    'oci.error.code-14.toomanyrequests',
    should('The error of a 429 is TOOMANYREQUESTS.', codes),
    async ({ client, manifest, skip }) => {
      expectCode(await throttled(client, manifest), ['TOOMANYREQUESTS'], skip)
    },
  )
})
