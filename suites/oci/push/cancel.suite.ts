import { describe } from 'vitest'
import { expectRefusal, expectStatus } from '../../../harness/finding.ts'
import { should } from '../../../harness/requirement.ts'
import { closeUpload, need, octets, pushBlob, startUpload } from '../../push.ts'
import { expectBlob, expectNoBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { ociDistributionMain } from '../../specifications.ts'
import { append, startChunks } from './chunks.ts'
import { otherSession } from './other-session.ts'

const cancelling = ociDistributionMain('Cancel a blob upload', '#cancel-a-blob-upload')
const options = { needs: ['push', 'cancel'], since: 'dev' } as const

describe('Cancelling an upload', () => {
  test(
    'oci.push.cancel.204',
    should('Cancelling an upload answers 204', cancelling, options),
    async ({ client, repository, content }) => {
      const empty = await startUpload(client, repository)
      const { location, chunk } = await startChunks(client, repository, content, 2)
      for (const upload of [empty, await append(client, location, chunk(0))]) {
        expectStatus(await client.delete(upload), 204)
      }
    },
  )

  test(
    'oci.push.cancel.session-gone',
    should('A cancelled upload takes nothing more, and a blob of the same bytes stays', cancelling, options),
    async ({ client, repository, content }) => {
      const { location, whole, chunk } = await startChunks(client, repository, content, 1)
      const blob = await pushBlob(client, repository, whole)
      const next = await append(client, location, chunk(0))
      need('cancelling', await client.delete(next), 202, 204)
      const more = content.bytes(500)
      expectRefusal(await client.get(next, { fresh: true }))
      expectRefusal(await client.patch(next, { headers: octets, body: more }))
      expectRefusal(await closeUpload(client, next, more.digest, more))
      await expectNoBlob(client, repository, more.digest)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.cancel.unknown',
    should(
      'Cancelling an unknown upload answers 404 or 400',
      ociDistributionMain('Endpoints', '#endpoints'),
      options,
    ),
    async ({ client, repository, skip }) => {
      const location = await startUpload(client, repository)
      const unknown = otherSession(location, repository)
      if (unknown === undefined) return skip('the upload URL does not show its identifier')
      need('cancelling', await client.delete(location), 202, 204)
      for (const upload of [unknown, location]) expectStatus(await client.delete(upload), 404, 400)
    },
  )
})
