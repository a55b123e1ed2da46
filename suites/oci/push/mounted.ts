import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import type { RegistryClient, RegistryRequestOptions } from '../../../harness/registry-client.ts'
import { pushBlob } from '../../push.ts'
import type { Registry } from '../../registry.ts'

/** Asks for a blob of another repository, or of any where none is named. */
export function mount(
  client: RegistryClient,
  repository: string,
  digest: string,
  from?: string,
  options?: RegistryRequestOptions,
): Promise<Answer> {
  const source = from === undefined ? '' : `&from=${encodeURIComponent(from)}`
  return client.post(`/v2/${repository}/blobs/uploads/?mount=${digest}${source}`, options)
}

/** A blob, and the repository that holds it. */
export interface MountSource {
  readonly source: string
  readonly blob: Content
}

/** The blob that all mounts are tried with. */
export const mountSource = (registry: Registry): Promise<MountSource> =>
  registry.once('mount-source', async ({ client, repository, content }) => ({
    source: repository,
    blob: await pushBlob(client, repository, content.bytes(1000)),
  }))

/** A mount of that blob. */
export interface Mounted extends MountSource {
  readonly repository: string
  readonly answer: Answer
}

/** The mount that all look at who judge its answer. */
export const mounted = (registry: Registry): Promise<Mounted> =>
  registry.once('mount', async ({ registry: own, client, repository }) => {
    const held = await mountSource(own)
    return { ...held, repository, answer: await mount(client, repository, held.blob.digest, held.source) }
  })
