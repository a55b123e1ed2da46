import { describe } from 'vitest'
import { imageManifest } from '../../fixtures/manifest.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import type { Capability } from '../../harness/report.ts'
import { must } from '../../harness/requirement.ts'
import { need, prepareImage, pushBlob, pushImage, pushManifest, putManifest } from '../push.ts'
import { expectBlob, expectManifest, listedTags, readBlob, readManifest } from '../readback.ts'
import { test } from '../registry.ts'
import { theService } from '../specifications.ts'
import { instancesOf } from './instance.ts'

const deployment = theService('Deployment', '#deployment')
const needs = ['registry', 'push', 'instances'] as const
const racers = 16

describe('Several instances of one registry', () => {
  test(
    'service.instances.read-after-write',
    must(
      'What one instance has acknowledged every other serves at once: blob, manifest, tag, its move, and deletion',
      deployment,
      { needs, uses: ['delete.manifest', 'delete.blob'], on: 'stack' },
    ),
    async ({ client, registry, repository, content, run }) => {
      const others = instancesOf(registry).slice(1)
      const { config, layers, manifest } = await pushImage(client, repository, content, 'moving')
      const { manifest: next } = await prepareImage(client, repository, content)
      for (const other of others) {
        for (const blob of [config, ...layers]) await expectBlob(other, repository, blob)
        await expectManifest(other, repository, manifest, 'moving')
      }
      await pushManifest(client, repository, next, 'moving')
      for (const other of others) await expectManifest(other, repository, next, 'moving')
      const loose = await pushBlob(client, repository, content.bytes(100))
      const atOthers = () => Promise.all(others.map((other) => readBlob(other, repository, loose.digest)))
      // What an instance looked up before is what it may keep too long.
      for (const answer of await atOthers()) need('reading a blob', answer, 200)
      const { 'delete.manifest': manifests, 'delete.blob': blobs } = run.capabilities
      const manifestPath = `/v2/${repository}/manifests/${manifest.digest}`
      const manifestStatus = await deleteWhere(manifests, client, manifestPath)
      const blobStatus = await deleteWhere(blobs, client, `/v2/${repository}/blobs/${loose.digest}`)
      const { mediaType } = manifest
      for (const other of others) {
        expectStatus(await readManifest(other, repository, manifest.digest, mediaType), manifestStatus)
      }
      for (const answer of await atOthers()) expectStatus(answer, blobStatus)
    },
  )

  test(
    'service.instances.token-accepted',
    must('A token that one instance issued is accepted by all', deployment, {
      needs: ['registry', 'push', 'instances', 'auth', 'credentials'],
      on: 'stack',
    }),
    async ({ client, registry, repository, content }) => {
      const { manifest } = await pushImage(client, repository, content, 'pulled')
      const scope = `repository:${repository}:pull`
      const authorization = `Bearer ${await client.token([scope])}`
      const headers = { authorization, accept: manifest.mediaType }
      const credentials = { kind: 'token', account: client.account, scope } as const
      for (const instance of instancesOf(registry, 'anonymous')) {
        for (const path of ['/v2/', `/v2/${repository}/manifests/pulled`]) {
          expectStatus(await instance.get(path, { headers, credentials, fresh: true }), 200)
        }
      }
    },
  )

  test(
    'service.instances.tag-race',
    must(
      'Pushes of one tag side by side, through all instances, leave one of the manifests, the same everywhere, and one entry in the list',
      theService('Records', '#records'),
      { needs, on: 'stack' },
    ),
    async ({ client, registry, repository, content }) => {
      const { config, layers } = await prepareImage(client, repository, content)
      const instances = instancesOf(registry)
      const manifests = Array.from({ length: racers }, (_, i) =>
        imageManifest({ config, layers, annotations: { 'org.example.racer': String(i) } }),
      )
      const puts = await Promise.all(
        manifests.map((manifest, i) => {
          const instance = instances[i % instances.length] ?? client
          return putManifest(instance, repository, manifest, 'raced')
        }),
      )
      for (const put of puts) expectStatus(put, 201)
      const type = manifests[0]?.mediaType ?? ''
      const reads = await Promise.all(instances.map((one) => readManifest(one, repository, 'raced', type)))
      const winners = manifests.filter(({ bytes }) =>
        reads.some(({ body }) => Buffer.compare(body, bytes) === 0),
      )
      for (const read of reads) expectStatus(read, 200)
      const known = reads.every(({ body }) => winners.some(({ bytes }) => Buffer.compare(body, bytes) === 0))
      expectThat(
        known && winners.length === 1,
        'one manifest of those pushed at all instances',
        `${winners.length}`,
      )
      const tags = await listedTags(client, repository)
      expectThat(tags.join() === 'raced', 'the tag raced, once', tags.join())
    },
  )
})

/** Deletes where deleting is offered; resolves to the status that reading answers from then on. */
async function deleteWhere(
  capability: Capability | undefined,
  client: RegistryClient,
  path: string,
): Promise<200 | 404> {
  if (!capability?.offered) return 200
  need('deleting', await client.delete(path), 202)
  return 404
}
