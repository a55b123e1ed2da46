import { describe } from 'vitest'
import { manifestTypes } from '../../../fixtures/media-types.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectBytes, expectContent, expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { ociDistribution, rfc } from '../../specifications.ts'
import { askFor, references, test } from '../existing.ts'
import type { ExistingManifest } from '../named-content.ts'

const pulling = ociDistribution('Pulling manifests', '#pulling-manifests')

const isManifest = ({ status, body }: Answer, { bytes }: ExistingManifest) =>
  status === 200 && Buffer.compare(body, bytes) === 0

describe('Content negotiation of manifests', () => {
  test(
    'oci.pull.manifest.accept.listed-type',
    should(
      'A client that lists the stored type in Accept, however it writes the list, is served it.',
      pulling,
    ),
    async ({ client, manifest }) => {
      const type = manifest.mediaType
      const [other = '', another = ''] = Object.values(manifestTypes).filter((one) => one !== type)
      const lists = [
        [type],
        [`${type}, ${other}`],
        [`${other}, ${another},${type}`],
        [other, type],
        [`${other};q=0.5, ${type};q=0.9`],
        [`application/json;q=0.1, ${type};q=0.2`, '*/*;q=0.1'],
      ]
      const [byTag = manifest.digest, byDigest = byTag] = references(manifest)
      for (const [index, list] of lists.entries()) {
        const headers = list.map((value) => ['accept', value] as const)
        const answer = await askFor(client, manifest, index % 2 === 0 ? byTag : byDigest, { headers })
        const wanted = `the manifest on Accept: ${list.join(' and Accept: ')}`
        const seen = `${answer.status} with ${answer.body.length} bytes`
        expectThat(isManifest(answer, manifest), wanted, seen)
      }
    },
  )

  test(
    'oci.pull.manifest.accept.wildcard',
    should('A manifest is served by its digest to a client that accepts anything.', rfc(9110)('12.5.1')),
    async ({ client, manifest }) => {
      for (const headers of [{ accept: '*/*' }, {}]) {
        const answer = await askFor(client, manifest, manifest.digest, { headers })
        expectContent(answer, manifest.bytes)
      }
    },
  )

  test(
    'oci.pull.manifest.accept.no-conversion',
    must(
      'The digest of an index is answered with that index or refused, never with another manifest that the client would accept.',
      pulling,
    ),
    async ({ client, manifests }) => {
      const { ociManifest, dockerManifest } = manifestTypes
      for (const accept of [ociManifest, dockerManifest, `${ociManifest}, ${dockerManifest}`]) {
        for (const manifest of manifests) {
          const answer = await askFor(client, manifest, manifest.digest, { headers: { accept } })
          const refused = answer.status >= 400 && answer.status < 500
          const wanted = `the manifest of ${manifest.digest} or a refusal, on Accept: ${accept}`
          expectThat(
            refused || isManifest(answer, manifest),
            wanted,
            `${answer.status} with ${answer.text().slice(0, 200)}`,
          )
        }
      }
    },
  )

  test(
    'oci.pull.manifest.etag.conditional',
    may(
      'Where a manifest has an ETag, a GET with that value in If-None-Match answers 304 without a body.',
      ociDistribution('Pushing Manifests with Subject', '#pushing-manifests-with-subject'),
    ),
    async ({ client, manifest, skip }) => {
      const first = await askFor(client, manifest, manifest.digest)
      const etag = first.header('etag')
      if (etag === undefined) return skip('no ETag was sent')
      const headers = { accept: manifest.mediaType, 'if-none-match': etag }
      const again = await askFor(client, manifest, manifest.digest, { headers, raw: true })
      expectStatus(again, 304)
      expectBytes(again, Buffer.alloc(0))
      const other = { ...headers, 'if-none-match': '"no such tag"' }
      expectStatus(await askFor(client, manifest, manifest.digest, { headers: other }), 200)
    },
  )
})
