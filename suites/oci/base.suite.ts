import { describe } from 'vitest'
import { expectContent, expectHeader, expectRefusal, expectStatus } from '../../harness/finding.ts'
import { may, must, should } from '../../harness/requirement.ts'
import { need, putManifest } from '../push.ts'
import { ociDistribution, rfc } from '../specifications.ts'
import { smallManifests } from './base/pushing-under.ts'
import { askFor, test } from './existing.ts'
import { blobPath } from './named-content.ts'
import { redirectedReads } from './redirected-reads.ts'

describe('The API root', () => {
  test(
    'oci.base.ping.200',
    must(
      'GET of the API root answers 200 to whoever may use the registry.',
      ociDistribution('Determining Support', '#determining-support'),
    ),
    async ({ client, registry }) => {
      const elsewhere = await client.get(`/v2/${registry.repository('never-used')}/manifests/latest`)
      need('a manifest that nobody pushed', elsewhere, 404, 403, 401)
      expectStatus(await client.get('/v2/', { fresh: true }), 200)
    },
  )

  test(
    'oci.base.ping.unauth-status',
    should(
      'Without credentials the API root answers 200, 401 or 404, as the table of endpoints has it.',
      ociDistribution('Endpoints', '#endpoints'),
    ),
    async ({ client, registry }) => {
      const elsewhere = await client.get(`/v2/${registry.repository('never-used')}/manifests/latest`)
      need('a manifest that nobody pushed', elsewhere, 404, 403)
      need('GET /v2/ with credentials', await client.get('/v2/'), 200)
      expectStatus(await registry.as('anonymous').get('/v2/', { fresh: true }), 200, 401, 404)
    },
  )

  test(
    'oci.base.docker-version-header.optional',
    may(
      'Docker-Distribution-API-Version, where it is sent, is registry/2.0.',
      ociDistribution('Legacy Docker support HTTP headers', '#legacy-docker-support-http-headers'),
    ),
    async ({ client, skip }) => {
      const answer = await client.get('/v2/')
      skip(answer.header('docker-distribution-api-version') === undefined, 'the header is not sent')
      expectHeader(answer, 'docker-distribution-api-version', 'registry/2.0')
    },
  )
})

describe('Redirects', () => {
  const api = ociDistribution('API', '#api')

  test(
    'oci.base.redirect.resolvable',
    must('A redirect of a read leads to the content that was asked for.', api),
    async ({ client, registry, manifest, blob, skip }) => {
      const redirected = await redirectedReads(registry, manifest, blob)
      skip(redirected.length === 0, 'no read of a manifest or a blob was redirected')
      for (const { again, bytes } of redirected) {
        const answer = await again(client)
        expectContent(answer, bytes)
      }
    },
  )

  test(
    'oci.base.redirect.no-auth-needed-cross-host',
    should(
      'Where a redirect leads to another host, that host serves the content without Authorization.',
      api,
    ),
    async ({ registry, manifest, blob, skip }) => {
      const redirected = await redirectedReads(registry, manifest, blob)
      const elsewhere = redirected.filter(({ from, to }) => new URL(from).host !== new URL(to).host)
      skip(elsewhere.length === 0, 'no read was redirected to another host')
      for (const { to, method, bytes } of elsewhere) {
        const answer = await registry.as('anonymous').request(method, to, { fresh: true, follow: true })
        expectContent(answer, bytes)
      }
    },
  )
})

describe('References', () => {
  const reference = ociDistribution('Pulling manifests', '#pulling-manifests')

  test(
    'oci.base.reference.malformed-digest',
    must(
      'A reference with a colon that is no well-formed digest is refused, and never taken for a tag.',
      reference,
      {
        needs: ['push'],
      },
    ),
    async ({ client, registry, repository, content }) => {
      const small = await smallManifests(registry)
      const label = content.name('image')
      const manifest = small.labelled(label)
      need('pushing a manifest', await small.push(client, repository, label, 'image'), 201)
      const hex = manifest.digest.slice('sha256:'.length)
      const [capitals, tagged] = [`sha256:${hex.toUpperCase()}`, 'image:latest']
      for (const digest of ['sha256:zz', capitals, tagged]) {
        expectRefusal(await askFor(client, { ...manifest, repository }, digest))
      }
      for (const digest of ['sha256:zz', `sha256:${hex.slice(1)}`, `SHA256:${hex}`, capitals, tagged]) {
        expectRefusal(await putManifest(client, repository, manifest, digest))
      }
      for (const digest of ['sha256:zz', tagged]) {
        expectRefusal(await client.delete(`/v2/${repository}/manifests/${digest}`))
      }
    },
  )
})

describe('Conditions that any answer meets', () => {
  test(
    'oci.base.http.405-allow',
    should(
      'A 405 names the methods that are allowed in Allow, and not the one that was refused.',
      rfc(9110)('15.5.6'),
      {
        needs: ['push'],
      },
    ),
    async ({ client, registry, repository, blob, skip }) => {
      const small = await smallManifests(registry)
      const { digest } = small.labelled('image')
      need('pushing a manifest', await small.push(client, repository, 'image', digest), 201)
      const tried = [
        ['PUT', '/v2/'],
        ['DELETE', `/v2/${repository}/tags/list`],
        ['PATCH', `/v2/${repository}/manifests/${digest}`],
        ['POST', `/v2/${repository}/manifests/${digest}`],
        ['POST', blobPath(blob)],
        ['PUT', `/v2/${repository}/blobs/uploads/`],
      ] as const
      const answers = await Promise.all(tried.map(([method, path]) => client.request(method, path)))
      const refused = answers.filter(({ status }) => status === 405)
      skip(refused.length === 0, 'nothing was answered with 405')
      for (const answer of refused) {
        expectHeader(
          answer,
          'allow',
          new RegExp(`^(?!.*\\b${answer.method}\\b)[A-Za-z]+([ \\t]*,[ \\t]*[A-Za-z]+)*$`),
        )
      }
    },
  )
})
