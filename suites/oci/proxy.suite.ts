import { describe } from 'vitest'
import { expectBytes, expectStatus, expectThat } from '../../harness/finding.ts'
import { may } from '../../harness/requirement.ts'
import { ociDistributionMain } from '../specifications.ts'
import { askFor, test } from './existing.ts'
import { blobPath } from './named-content.ts'

describe('Proxying', () => {
  test(
    'oci.proxy.ns',
    may(
      'The parameter ns of a pull is ignored or honoured: the answer is the content, or 404 for another namespace, and OCI-Namespace, where it is sent, repeats ns.',
      ociDistributionMain('Registry Proxying', '#registry-proxying'),
    ),
    async ({ client, manifest }) => {
      const ns = 'registry.example'
      const accept = manifest.mediaType
      const ofManifest = await askFor(client, manifest, `${manifest.digest}?ns=${ns}`, {
        headers: { accept },
      })
      const ofBlob = await client.get(`${blobPath(manifest.blob)}?ns=${ns}`, { fresh: true })
      for (const [answer, bytes] of [
        [ofManifest, manifest.bytes],
        [ofBlob, manifest.blob.bytes],
      ] as const) {
        expectStatus(answer, 200, 404)
        const found = answer.status === 200
        expectBytes(answer, found ? bytes : answer.body)
        const seen = answer.header('oci-namespace') ?? ns
        expectThat(seen === ns, `OCI-Namespace: ${ns}, where it is sent`, seen)
      }
    },
  )
})
