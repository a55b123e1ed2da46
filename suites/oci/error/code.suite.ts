import { describe } from 'vitest'
import type { Answer } from '../../../harness/answer.ts'
import { should } from '../../../harness/requirement.ts'
import { errorCodes } from '../../error-codes.ts'
import { pushArtifact, pushBlob, startUpload } from '../../push.ts'
import { ociDistribution } from '../../specifications.ts'
import { test } from '../existing.ts'
import { blobPath } from '../named-content.ts'
import { closedUpload } from '../push/closed-upload.ts'
import {
  badNames,
  brokenManifests,
  misplacedChunk,
  unknownBlob,
  unknownBlobDeleted,
  unknownManifests,
  unknownRepository,
  wrongDigests,
} from '../refusals.ts'
import { throttled } from '../throttling.ts'
import { expectCode } from './expect-code.ts'

const codes = ociDistribution('Error Codes', '#error-codes')
const needs = ['push'] as const
const deletions = ['delete.tag', 'delete.manifest', 'delete.blob'] as const

describe('Error codes', () => {
  test(
    'oci.error.code-01.blob-unknown',
    should('The error for a blob that is not there is BLOB_UNKNOWN, to GET and to DELETE.', codes, {
      uses: ['delete.blob'],
    }),
    async ({ registry, blob, run, skip }) => {
      const deletes = run.capabilities['delete.blob']?.offered
      const deleted = deletes ? await unknownBlobDeleted(registry, blob) : []
      const answers = [...(await unknownBlob(registry, blob)), ...deleted]
      expectCode(answers, ['BLOB_UNKNOWN', 'NAME_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-02.blob-upload-invalid',
    should('The error for a chunk that is out of order is BLOB_UPLOAD_INVALID.', codes, { needs }),
    async ({ registry, skip }) => {
      expectCode(
        await misplacedChunk(registry),
        ['BLOB_UPLOAD_INVALID', 'BLOB_UPLOAD_UNKNOWN', 'SIZE_INVALID'],
        skip,
      )
    },
  )

  test(
    'oci.error.code-03.blob-upload-unknown',
    should('The error for an upload that is closed already is BLOB_UPLOAD_UNKNOWN.', codes, { needs }),
    async ({ registry, skip }) => {
      const { status, chunk, close } = await closedUpload(registry)
      expectCode([status, chunk, close], ['BLOB_UPLOAD_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-04.digest-invalid',
    should(
      'The error for a digest that is malformed, or not that of the content, is DIGEST_INVALID.',
      codes,
      { needs },
    ),
    async ({ registry, skip }) => {
      expectCode(await wrongDigests(registry), ['DIGEST_INVALID'], skip)
    },
  )

  test(
    'oci.error.code-06.manifest-invalid',
    should('The error for a manifest that is none is MANIFEST_INVALID.', codes, { needs }),
    async ({ registry, skip }) => {
      expectCode(await brokenManifests(registry), ['MANIFEST_INVALID'], skip)
    },
  )

  test(
    'oci.error.code-07.manifest-unknown',
    should('The error for a tag or digest that a known repository does not have is MANIFEST_UNKNOWN.', codes),
    async ({ registry, manifest, skip }) => {
      expectCode(await unknownManifests(registry, manifest), ['MANIFEST_UNKNOWN', 'NAME_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-08.name-invalid',
    should('The error for a name outside the grammar is NAME_INVALID.', codes, { needs }),
    async ({ registry, skip }) => {
      expectCode(await badNames(registry), ['NAME_INVALID', 'NAME_UNKNOWN'], skip)
    },
  )

  test(
    'oci.error.code-09.name-unknown',
    should('The error for a repository that does not exist is NAME_UNKNOWN.', codes),
    async ({ manifest, registry, skip }) => {
      const [listed, ...pulled] = await unknownRepository(registry, manifest)
      expectCode(listed ? [listed] : [], ['NAME_UNKNOWN'], skip)
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
      { needs, uses: deletions },
    ),
    async ({ client, repository, content, run, skip }) => {
      const off = deletions.filter((deletion) => !run.capabilities[deletion]?.offered)
      if (off.length === 0) return skip('every deletion is offered')
      const { digest } = await pushArtifact(client, repository, content, 'tag')
      // Nothing refers to the blob, which would be another reason to keep it.
      const loose = await pushBlob(client, repository, content.bytes(100))
      const paths = {
        'delete.tag': 'manifests/tag',
        'delete.manifest': `manifests/${digest}`,
        'delete.blob': `blobs/${loose.digest}`,
      }
      const answers = await Promise.all(off.map((one) => client.delete(`/v2/${repository}/${paths[one]}`)))
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
    async ({ registry, blob, skip }) => {
      expectCode(await throttled(registry, blob), ['TOOMANYREQUESTS'], skip)
    },
  )
})
