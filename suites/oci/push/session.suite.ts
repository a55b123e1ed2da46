import { describe } from 'vitest'
import { expectContent, expectRefusal, expectStatus, expectThat } from '../../../harness/finding.ts'
import { must, should } from '../../../harness/requirement.ts'
import { closeUpload, locationOf, need, pushBlob, sendChunk, startUpload } from '../../push.ts'
import { expectBlob, expectNoBlob } from '../../readback.ts'
import { test } from '../../registry.ts'
import { onInstance } from '../../service/instance.ts'
import { ociDistribution, theService } from '../../specifications.ts'
import { append, chunksFrom, closeWith, send, startChunks } from './chunks.ts'
import { closedUpload } from './closed-upload.ts'
import { expectLocation } from './named-location.ts'
import { otherSession, sessionIn } from './other-session.ts'
import { wholeUpload } from './whole-upload.ts'

const opening = ociDistribution('POST then PUT', '#post-then-put')
const endpoints = ociDistribution('Endpoints', '#endpoints')
const needs = ['push'] as const

describe('Upload sessions', () => {
  test(
    'oci.push.session.post.202',
    must('Starting an upload answers 202', opening, { needs }),
    async ({ registry }) => {
      expectStatus((await wholeUpload(registry)).started, 202)
    },
  )

  test(
    'oci.push.session.post.location',
    must('The 202 names the upload URL in Location', opening, { needs }),
    async ({ registry }) => {
      const { started } = await wholeUpload(registry)
      expectLocation(need('starting an upload', started, 202))
    },
  )

  test(
    'oci.push.session.location.unique',
    must('Each upload URL is a session of its own, whose bytes mix with no other', opening, { needs }),
    async ({ client, repository, content }) => {
      const path = `/v2/${repository}/blobs/uploads/`
      const started = [
        await client.post(path),
        ...(await Promise.all([client.post(path), client.post(path)])),
      ]
      const opened = started.map((answer) => chunksFrom(answer, content, 2))
      const distinct = new Set(opened.map(({ location }) => location)).size
      expectThat(distinct === opened.length, `${opened.length} upload URLs`, `${distinct} different ones`)

      const uploads = []
      for (const upload of opened.slice(1)) {
        uploads.push({ ...upload, next: await append(client, upload.location, upload.chunk(0)) })
      }
      for (const { next, whole, chunk } of uploads) {
        expectStatus(await closeWith(client, next, whole.digest, chunk(1)), 201)
      }
      for (const { whole } of uploads) await expectBlob(client, repository, whole)
    },
  )

  test(
    'oci.push.session.location.form',
    should(
      'The upload URL, absolute or relative, leads where the client can reach it, and never from https to http',
      opening,
      { needs },
    ),
    async ({ registry }) => {
      const { blob, started, closed, read } = await wholeUpload(registry)
      const location = new URL(locationOf(need('starting an upload', started, 202)))
      const { protocol } = new URL(registry.target.url)
      expectThat(location.protocol === protocol || protocol === 'http:', protocol, location.protocol)
      expectStatus(closed(), 201)
      expectContent(read(), blob.bytes)
    },
  )

  test(
    'oci.push.session.location.query-kept',
    must('The upload URL works with digest= added to whatever query it has', opening, { needs }),
    async ({ registry }) => {
      const { blob, closed, read } = await wholeUpload(registry)
      expectStatus(closed(), 201)
      expectContent(read(), blob.bytes)
    },
  )

  test(
    'oci.push.session.unknown.404',
    should('PATCH and GET of an unknown session answer 404, the closing PUT 404 or 400', endpoints, {
      needs,
    }),
    async ({ client, repository, content, skip }) => {
      const location = otherSession(await startUpload(client, repository), repository)
      if (location === undefined) return skip('the upload URL does not show its identifier')
      const blob = await pushBlob(client, repository, content.bytes(500))
      const other = content.bytes(500)
      // A query may hold a signature of the identifier: then the URL is malformed rather than unknown.
      const statuses = new URL(location).search ? [404, 400] : [404]
      expectStatus(await sendChunk(client, location, other, 0), ...statuses)
      expectStatus(await client.get(location), ...statuses)
      expectStatus(await closeUpload(client, location, other.digest, other), 404, 400)
      await expectNoBlob(client, repository, other.digest)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.session.closed.404',
    should('A session that was closed with 201 takes nothing more', endpoints, { needs }),
    async ({ client, registry }) => {
      const { repository, blob, more, status, chunk, close } = await closedUpload(registry)
      expectRefusal(status)
      expectRefusal(chunk)
      expectRefusal(close)
      await expectNoBlob(client, repository, more.digest)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.session.repo-bound',
    should('A session belongs to the repository that it was opened in', opening, { needs }),
    async ({ client, registry, repository, content, skip }) => {
      const [known, blob] = [content.bytes(500), content.bytes(1500)]
      const elsewhere = registry.repository('elsewhere')
      const location = await startUpload(client, repository)
      const replayed = sessionIn(location, repository, elsewhere)
      if (replayed === undefined) return skip('the upload URL does not show its repository')
      await pushBlob(client, elsewhere, known)
      expectRefusal(await closeUpload(client, replayed, blob.digest, blob))
      await expectNoBlob(client, elsewhere, blob.digest)
      await expectBlob(client, elsewhere, known)
    },
  )

  test(
    'oci.push.session.concurrent-same-digest',
    should(
      'Parallel uploads of the same blob all succeed and give one readable blob',
      ociDistribution('Layer Upload De-duplication', '#layer-upload-de-duplication'),
      { needs },
    ),
    async ({ client, repository, content }) => {
      const blob = content.bytes(50_000)
      const uploads = await Promise.all([1, 2, 3].map(() => startUpload(client, repository)))
      const closed = uploads.map((location) => closeUpload(client, location, blob.digest, blob))
      for (const answer of await Promise.all(closed)) expectStatus(answer, 201)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'oci.push.session.survives-instances',
    must(
      'With several instances behind one balancer, a session opened on one goes on at another',
      theService('Deployment', '#deployment'),
      {
        needs: ['push', 'instances'],
        on: 'stack',
      },
    ),
    async ({ client, registry, repository, content }) => {
      const instances = [registry.target.url, ...(registry.target.instances ?? [])]
      const route = [...instances.slice(1), ...instances]
      const upload = await startChunks(client, repository, content, route.length)
      let location = upload.location
      for (const [index, url] of route.entries()) {
        const sent = await send(registry.at(url), onInstance(location, url), upload.chunk(index))
        expectStatus(sent, 202)
        location = locationOf(sent)
      }
      expectStatus(
        await closeUpload(client, onInstance(location, registry.target.url), upload.whole.digest),
        201,
      )
      for (const url of instances) await expectBlob(registry.at(url), repository, upload.whole)
    },
  )
})
