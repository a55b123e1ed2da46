import type { Content } from '../../../fixtures/content.ts'
import { Interruption } from '../../../harness/errors.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { octets, withDigest } from '../../push.ts'

/** A closing PUT that announces the whole content and breaks off in it. A registry may refuse it before that. */
export async function cutUpload(
  client: RegistryClient,
  location: string,
  digest: string,
  content: Content,
  cutAfter: number,
): Promise<void> {
  try {
    await client.put(withDigest(location, digest), { headers: octets, body: content, cutAfter })
  } catch (error) {
    if (!(error instanceof Interruption)) throw error
  }
}
