import { describe } from 'vitest'
import { literal } from '../fixtures/content.ts'
import { manifestTypes } from '../fixtures/media-types.ts'
import type { Answer } from '../harness/answer.ts'
import { expectRefusal, expectStatus, expectThat } from '../harness/finding.ts'
import { must, should } from '../harness/requirement.ts'
import { digestHeader } from './digest.ts'
import { eachCase } from './each-case.ts'
import { scopesFor } from './oci/base/pushing-under.ts'
import {
  closeUpload,
  locationOf,
  need,
  octets,
  prepareImage,
  pushImage,
  putManifest,
  startUpload,
  withDigest,
} from './push.ts'
import { expectBlob } from './readback.ts'
import { test } from './registry.ts'
import { hasPostgres, isPublic } from './service/public-address.ts'
import { theService } from './specifications.ts'

const api = theService('Registry API', '#registry-api')
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const postgresPort = 5432
const postgresPatienceMs = 3000

describe('The registry of the service', () => {
  test(
    'service.base.json-object',
    must(
      'GET /v2/ with a token, or without one where the registry is open, answers with an empty JSON object',
      api,
    ),
    async ({ client }) => {
      const answer = await client.get('/v2/')
      expectStatus(answer, 200)
      expectThat(
        answer.text().trim().replace(/\s+/g, '') === '{}',
        '{}',
        answer.text().slice(0, 100) || 'nothing',
      )
    },
  )

  test(
    'service.upload.uuid',
    must('An upload has a UUID, and a PUT to /v2/<name>/blobs/uploads/<uuid> completes it', api, {
      needs: ['push'],
    }),
    async ({ client, repository, content }) => {
      const blob = content.bytes(1000)
      const started = need('starting an upload', await client.post(`/v2/${repository}/blobs/uploads/`), 202)
      const { pathname, search } = new URL(locationOf(started))
      const named = [started.header('docker-upload-uuid'), pathname.split('/').at(-1)]
      const id = named.find((one) => uuid.test(one ?? '')) ?? named.at(-1) ?? ''
      expectThat(uuid.test(id), 'a UUID in Location or Docker-Upload-UUID', named.join(' and '))
      const path = withDigest(`/v2/${repository}/blobs/uploads/${id}${search}`, blob.digest)
      expectStatus(await client.put(path, { headers: octets, body: blob }), 201)
      await expectBlob(client, repository, blob)
    },
  )

  test(
    'service.blob.digest-form',
    must(
      'Digests that the registry tells are sha256: and 64 lower-case hex digits, for what was pushed under sha256',
      theService('Records', '#records'),
      { needs: ['push'] },
    ),
    async ({ client, repository, content, skip }) => {
      const { config, manifest } = await prepareImage(client, repository, content)
      const headers = { accept: manifest.mediaType }
      const blob = `/v2/${repository}/blobs/${config.digest}`
      const answers = [
        await closeUpload(client, await startUpload(client, repository), config.digest, config),
        await client.get(blob),
        await client.head(blob),
        await putManifest(client, repository, manifest, 'tagged'),
        await client.get(`/v2/${repository}/manifests/tagged`, { headers }),
        await client.head(`/v2/${repository}/manifests/${manifest.digest}`, { headers }),
      ]
      const told = answers.flatMap((answer) =>
        need('an exchange', answer, 200, 201).headerValues(digestHeader),
      )
      skip(told.length === 0, 'no Docker-Content-Digest was sent')
      const wrong = told.find((digest) => !/^sha256:[0-9a-f]{64}$/.test(digest))
      expectThat(wrong === undefined, 'sha256: and 64 of 0-9 and a-f', wrong ?? '')
    },
  )

  test(
    'service.column.255',
    should(
      'A name, tag, digest or media type of more than 255 characters is refused with 4xx',
      theService('Limits', '#limits'),
      { needs: ['push'] },
    ),
    async ({ client, repository, content }) => {
      const { manifest } = await pushImage(client, repository, content, 'tagged')
      const name = `${repository}/`.padEnd(256, 'n')
      const digest = 'sha256:'.padEnd(256, '0')
      const mediaType = 'application/vnd.example.'.padEnd(256, 't')
      const contentType = { 'content-type': mediaType }
      // Both places name the type, so that a refusal is for its length.
      const typed = literal(Buffer.from(manifest.bytes).toString().replaceAll(manifest.mediaType, mediaType))
      const path = `/v2/${repository}/manifests/typed`
      const scopes = await scopesFor(client, name, repository)
      const cases: readonly (readonly [string, () => Promise<Answer>])[] = [
        ['a name', () => client.post(`/v2/${name}/blobs/uploads/`, { scopes })],
        ['a tag', () => putManifest(client, repository, manifest, 't'.repeat(256))],
        [
          'a digest',
          async () => closeUpload(client, await startUpload(client, repository), digest, manifest),
        ],
        ['a media type', () => client.put(path, { headers: contentType, body: typed })],
      ]
      await eachCase(cases, async (send) => expectRefusal(await send()))
      const read = await client.get(path, { headers: { accept: manifestTypes.ociManifest }, fresh: true })
      expectStatus(read, 404)
    },
  )
})

describe('The service on the public network', () => {
  test(
    'service.exposure.https',
    must(
      'Registry and gateway are reached by https on port 443 of their public names, with certificates that clients accept',
      theService('Deployment', '#deployment'),
      { needs: ['registry', 'gateway', 'https'], on: 'stack' },
    ),
    async ({ run, http, skip }) => {
      const { registry, gateway } = run.targets
      const { ca, insecure } = run.transport
      skip(
        ca !== undefined || insecure === true,
        'the run trusts certificates that clients may not (--ca, --insecure)',
      )
      const [one, other] = [registry, gateway].map((target) => new URL(target?.url ?? '').hostname)
      skip(!(await isPublic(String(one))) || !(await isPublic(String(other))), 'the hosts are not public')
      expectStatus(await http.request('GET', `https://${one}/v2/`, { fresh: true }), 200, 401)
      // Whatever it answers, the connection was made.
      await http.request('GET', `https://${other}/`, { fresh: true })
    },
  )

  test(
    'service.database-not-public',
    must('No database answers on port 5432 of the public hosts', theService('Deployment', '#deployment'), {
      needs: ['registry', 'direct'],
      on: 'stack',
    }),
    async ({ run: { targets }, skip }) => {
      const urls = [targets.registry, targets.gateway].flatMap((target) => (target ? [target.url] : []))
      const hosts = [...new Set(urls.map((url) => new URL(url).hostname))]
      for (const host of hosts) skip(!(await isPublic(host)), `${host} is not on the public network`)
      for (const host of hosts) {
        const found = await hasPostgres(host, postgresPort, postgresPatienceMs)
        expectThat(!found, `no PostgreSQL at ${host}:${postgresPort}`, 'it answers')
      }
    },
  )
})
