import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectContent } from '../../../harness/finding.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { locationOf } from '../../push.ts'
import { expectBlob } from '../../readback.ts'

/** The blob can be pulled from the Location of the answer that created it. */
export async function expectAtLocation(
  client: RegistryClient,
  created: Answer,
  repository: string,
  blob: Content,
): Promise<void> {
  const scopes = [`repository:${repository}:pull`]
  expectContent(await client.get(locationOf(created), { fresh: true, scopes }), blob.bytes)
}

/** The same, and under its digest in the repository, which is one request where that is the Location. */
export async function expectServed(
  client: RegistryClient,
  created: Answer,
  repository: string,
  blob: Content,
  digest: string = blob.digest,
): Promise<void> {
  await expectAtLocation(client, created, repository, blob)
  const same = locationOf(created).endsWith(`/v2/${repository}/blobs/${digest}`)
  if (!same) await expectBlob(client, repository, blob, digest)
}
