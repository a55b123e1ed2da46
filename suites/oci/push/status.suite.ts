import { describe } from 'vitest'
import { expectHeader, expectStatus } from '../../../harness/finding.ts'
import { may, must } from '../../../harness/requirement.ts'
import { locationOf, need } from '../../push.ts'
import { expectBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'
import { append, closeWith, rangeAfter, send, startChunks } from './chunks.ts'
import { expectLocation } from './named-location.ts'

const status = ociDistribution('Pushing a blob in chunks', '#pushing-a-blob-in-chunks')
const options = { needs: ['push'], since: '1.1' } as const

describe('The status of an upload', () => {
  test(
    'oci.push.status.204',
    must('GET on an open upload answers 204', status, options),
    async ({ client, repository, content }) => {
      const { location, chunk } = await startChunks(client, repository, content, 2)
      const next = await append(client, location, chunk(0))
      expectStatus(await client.get(next), 204)
    },
  )

  test(
    'oci.push.status.location',
    must('That 204 names in Location where the upload goes on', status, options),
    async ({ client, repository, content }) => {
      const { location, whole, chunk } = await startChunks(client, repository, content, 2)
      const next = await append(client, location, chunk(0))
      const told = need('the status of an upload', await client.get(next), 204)
      expectLocation(told)
      expectStatus(await closeWith(client, locationOf(told), whole.digest, chunk(1)), 201)
      await expectBlob(client, repository, whole)
    },
  )

  test(
    'oci.push.status.range',
    must('That 204 has Range: 0-<last byte stored>', status, options),
    async ({ client, repository, content }) => {
      const upload = await startChunks(client, repository, content, 3)
      let { location } = upload
      for (const index of [0, 1, 2]) {
        location = await append(client, location, upload.chunk(index))
        const told = need('the status of an upload', await client.get(location, { fresh: true }), 204)
        expectHeader(told, 'range', rangeAfter(upload.chunk(index)))
        location = locationOf(told)
      }
    },
  )

  test(
    'oci.push.status.fresh-session',
    may('Whatever Range an upload without bytes is told to have, it goes on at byte 0', status, options),
    async ({ client, repository, content }) => {
      const { location, whole, chunk } = await startChunks(client, repository, content, 2)
      const told = need('the status of an upload', await client.get(location), 204)
      const first = await send(client, told.header('location') ? locationOf(told) : location, chunk(0))
      expectStatus(first, 202)
      expectStatus(await closeWith(client, locationOf(first), whole.digest, chunk(1)), 201)
      await expectBlob(client, repository, whole)
    },
  )
})
