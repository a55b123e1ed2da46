import { describe } from 'vitest'
import { expectContent, expectHeader, expectStatus } from '../../../harness/finding.ts'
import { may, must } from '../../../harness/requirement.ts'
import { locationOf, need } from '../../push.ts'
import { expectBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'
import { closeWith, rangeAfter, send, startChunks } from './chunks.ts'
import { expectLocation } from './named-location.ts'
import { watchedUpload } from './uploads-in-chunks.ts'

const status = ociDistribution('Pushing a blob in chunks', '#pushing-a-blob-in-chunks')
const options = { needs: ['push'], since: '1.1' } as const

describe('The status of an upload', () => {
  test(
    'oci.push.status.204',
    must('GET on an open upload answers 204', status, options),
    async ({ registry }) => expectStatus((await watchedUpload(registry)).statuses[0], 204),
  )

  test(
    'oci.push.status.location',
    must('That 204 names in Location where the upload goes on', status, options),
    async ({ registry }) => {
      const { whole, statuses, closed, read } = await watchedUpload(registry)
      expectLocation(need('the status of an upload', statuses[1](), 204))
      expectStatus(closed(), 201)
      expectContent(read(), whole.bytes)
    },
  )

  test(
    'oci.push.status.range',
    must('That 204 has Range: 0-<last byte stored>', status, options),
    async ({ registry }) => {
      const { chunk, statuses } = await watchedUpload(registry)
      for (const [index, told] of [statuses[0], statuses[1]()].entries()) {
        expectHeader(need('the status of an upload', told, 204), 'range', rangeAfter(chunk(index)))
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
