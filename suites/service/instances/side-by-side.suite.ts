import { describe } from 'vitest'
import { imageManifest } from '../../../fixtures/manifest.ts'
import { expectStatus, expectThat } from '../../../harness/finding.ts'
import { must } from '../../../harness/requirement.ts'
import { append, rangeAfter, startChunks } from '../../oci/push/chunks.ts'
import { closeUpload, need, prepareImage, pushManifest, putManifest, startUpload } from '../../push.ts'
import { expectBlob, expectManifest, readManifest } from '../../readback.ts'
import { test } from '../../registry.ts'
import { theService } from '../../specifications.ts'
import { instancesOf, onInstance } from '../instance.ts'

const deployment = theService('Deployment', '#deployment')
const needs = ['registry', 'push', 'instances'] as const
const racers = 8
const rounds = 3

describe('Work on several instances at once', () => {
  test(
    'service.instances.upload-progress',
    must('Every instance tells how far an upload has come, whichever took its bytes', deployment, {
      needs,
      on: 'stack',
    }),
    async ({ client, registry, repository, content }) => {
      const { target } = registry
      const upload = await startChunks(client, repository, content, 2)
      const next = await append(client, upload.location, upload.chunk(0))
      for (const url of [target.url, ...(target.instances ?? [])]) {
        const progress = await registry.at(url).get(onInstance(next, url), { fresh: true })
        const wanted = `204 with Range: ${rangeAfter(upload.chunk(0))}`
        const seen = `${progress.status} with Range: ${progress.header('range')}`
        expectThat(seen === wanted, `${wanted} at ${url}`, seen)
      }
    },
  )

  test(
    'service.instances.blob-race',
    must(
      'Uploads of one blob side by side, each opened at one instance and closed at the next, are all taken, and every instance serves the blob',
      deployment,
      { needs, on: 'stack' },
    ),
    async ({ registry, repository, content }) => {
      const blob = content.bytes(100_000)
      const { url, instances = [] } = registry.target
      const urls = [url, ...instances]
      const place = (i: number) => urls[i % urls.length] ?? url
      const uploads = await Promise.all(
        Array.from({ length: racers }, (_, i) => startUpload(registry.at(place(i)), repository)),
      )
      const closed = await Promise.all(
        uploads.map((location, i) => {
          const at = place(i + 1)
          return closeUpload(registry.at(at), onInstance(location, at), blob.digest, blob)
        }),
      )
      for (const answer of closed) expectStatus(answer, 201)
      for (const instance of instancesOf(registry)) await expectBlob(instance, repository, blob)
    },
  )

  test(
    'service.instances.tag-settled',
    must(
      'A tag that was pushed through all instances at once stays one of the manifests, at every instance and on every reading, until one of them moves it for all',
      theService('Records', '#records'),
      { needs, on: 'stack' },
    ),
    async ({ client, registry, repository, content }) => {
      const { config, layers, manifest: later } = await prepareImage(client, repository, content)
      const instances = instancesOf(registry)
      const manifests = Array.from({ length: racers }, (_, i) =>
        imageManifest({ config, layers, annotations: { 'org.example.racer': String(i) } }),
      )
      const puts = await Promise.all(
        manifests.map((one, i) =>
          putManifest(instances[i % instances.length] ?? client, repository, one, 'settled'),
        ),
      )
      for (const put of puts) need('pushing a tag beside others', put, 201)
      const first = await readManifest(client, repository, 'settled', later.mediaType)
      // Where it is none of them, the next reading says so.
      const winner = manifests.find(({ bytes }) => Buffer.compare(bytes, first.body) === 0) ?? later
      for (let round = 0; round < rounds; round += 1) {
        for (const one of instances) await expectManifest(one, repository, winner, 'settled')
      }
      for (const mover of instances) {
        const moved = imageManifest({
          config,
          layers,
          annotations: { 'org.example.mover': content.name('m') },
        })
        await pushManifest(mover, repository, moved, 'settled')
        for (const one of instances) await expectManifest(one, repository, moved, 'settled')
      }
    },
  )
})
